// SPDX-License-Identifier: GPL-2.0-only
/*
 * The times in exit records and in the children's totals are rounded for tasks without
 * CAP_PERFMON, too.
 */
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "patience.h"
#include "module.h"
#include "tap.h"
#include "totals.h"
#include "window.h"

#define GRAIN	MS

struct verdict {
	unsigned int records, rounded, flagged, wrong;
};

static void take(struct verdict *verdict, const struct taskrt_reading *reading)
{
	verdict->records++;
	verdict->rounded += totals_are_multiples(GRAIN, reading);
	verdict->flagged += (reading->stats.flags & TASKRT_FLAG_COARSE) != 0;
	verdict->wrong += !window_adds_up(reading);
}

static void note(const struct listener_record *record, void *verdict)
{
	take(verdict, &record->reading);
}

/* Return: 0: exact; 1: rounded and flagged; 2: neither; 7: the states do not add up. */
static int judge(const struct verdict *verdict, unsigned int least)
{
	if (verdict->records < least)
		return 3;
	if (verdict->wrong)
		return 7;
	if (verdict->rounded == verdict->records && verdict->flagged == verdict->records)
		return 1;
	return verdict->rounded < verdict->records && !verdict->flagged ? 0 : 2;
}

static int of_exits(void *who)
{
	struct verdict verdict = { 0 };
	struct listener listener;

	ask_become(who);
	prctl(PR_SET_DUMPABLE, 1);
	listener_open(&listener, note, &verdict);
	listener_listen(&listener, &(struct listener_filter){ .own = 1, .groups = EVERY_GROUP });
	listener_drain(&listener);
	listener_drain(&listener);
	return listener.wrong ? 4 : judge(&verdict, 4);
}

static int of_children(void *who)
{
	struct verdict verdict = { 0 };
	struct taskrt_reading reading;
	struct taskrt *handle;
	pid_t pid;

	ask_become(who);
	handle = window_open();
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	do
		if (window_ask(handle, TASKRT_ENTITY_CHILDREN, 0, &reading))
			return 5;
	while (reading.stats.flags & TASKRT_FLAG_PENDING && patience_lasts());
	take(&verdict, &reading);
	return reading.stats.threads_gone == 1 ? judge(&verdict, 1) : 6;
}

static void check(const struct ask_who *who, int expected, const char *name)
{
	tap_equal(ask_in_child(of_exits, (void *)who), expected, "%s: exits", name);
	tap_equal(ask_in_child(of_children, (void *)who), expected, "%s: children", name);
}

int main(void)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	static const struct ask_who net_admin = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_NET_ADMIN };
	static const struct ask_who perfmon = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_PERFMON };

	if (module_set("coarse_ns", "1000000"))
		tap_bail("no parameter coarse_ns");
	check(&user, 1, "a user: rounded, flagged (1)");
	check(&net_admin, 1, "CAP_NET_ADMIN: the same (1)");
	check(&perfmon, 0, "CAP_PERFMON: exact (0)");
	module_set("coarse_ns", "0");
	check(&user, 0, "switched off: exact for all (0)");
	return tap_done();
}
