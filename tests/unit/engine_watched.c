// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record that is observed, from some event on or until some event, reports at each
 * instant what an unobserved one reports; and an observed one is never plain.
 */
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "engine/totals.h"
#include "tap.h"

#define LIVES	2000
#define EVENTS	300

static struct event event_at(u64 at)
{
	struct event e = { .at = at, .kind = rand() % EXIT, .lock = 1 + rand() % 2 };

	if (e.kind == OUT)
		e.arg = TASKRT_STATE_PREEMPTED + rand() % (NR_STATES - TASKRT_STATE_PREEMPTED);
	else if (e.kind == FAULT_END || e.kind == WAKE)
		e.arg = rand() % 2;
	else if (e.kind == LOCK)
		e.arg = rand() % NR_LOCKS;
	if (rand() % 200 == 0)
		e.kind = EXIT;
	return e;
}

static int same(const struct record *plain, const struct record *watched, u64 now)
{
	struct totals a, b;

	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	return totals_of(&a, plain, now, TOTALS_ALL) == totals_of(&b, watched, now, TOTALS_ALL) &&
	       !memcmp(&a, &b, sizeof(a)) && record_state(plain) == record_state(watched);
}

static int live(int life)
{
	struct record plain, watched;
	u64 now = 1000;
	int i;

	record_init(&plain, life % 3 ? TASKRT_STATE_RUNNING : STATE_UNSEEN, TASKRT_STATE_SLEEPING, now);
	watched = plain;
	for (i = 0; i < EVENTS; i++) {
		struct event e = event_at(now += rand() % 1000);

		if (rand() % 10 == 0)
			watched.state = record_present(&watched) == TASKRT_STATE_EXITED ? TASKRT_STATE_EXITED :
					watched.state ^ STATE_OBSERVED;
		drive(&plain, &e);
		drive(&watched, &e);
		if (!same(&plain, &watched, now + 5) ||
		    ((watched.state & STATE_OBSERVED) && record_plain(watched.state)))
			return 0;
	}
	return 1;
}

int main(void)
{
	int i, good = 1;

	for (i = 0; i < LIVES && good; i++)
		good = live(i);
	tap_ok(good, "%d lives, observed and not, are the same", i);
	return tap_done();
}
