// SPDX-License-Identifier: GPL-2.0-only
/* The clock of a thread that was created starts when it is first woken. */
#include "engine/record_sched.h"
#include "engine/totals.h"
#include "tap.h"

static struct record record;

static struct totals started(u8 to)
{
	struct totals totals;

	record_init(&record, STATE_UNSEEN, TASKRT_STATE_BLOCKED_OTHER, 1000);
	record_sched_begin(&record);
	record_start(&record, to, 1500);
	record_sched_end(&record);
	if (!totals_of(&totals, &record, 1700, TOTALS_ALL))
		tap_bail("no totals");
	return totals;
}

static void woken(u8 to, const char *name)
{
	const struct totals totals = started(to);

	tap_equal(record.tracked_since, 1500, "%s: tracked from then on", name);
	tap_equal(totals.states_ns[to], 200, "%s: in that state since", name);
	tap_equal(totals.tracked_ns, 200, "%s: and in no other", name);
	tap_equal(totals.states[TASKRT_STATE_BLOCKED_OTHER], 0, "%s: it was not blocked", name);
	tap_equal(totals.values[TASKRT_VALUE_WAKEUPS], 1, "%s: one wake-up", name);
	tap_equal(record_present(&record), to, "%s: it is no longer unseen", name);
}

int main(void)
{
	woken(TASKRT_STATE_WOKEN, "woken");
	woken(TASKRT_STATE_THROTTLED, "throttled");
	return tap_done();
}
