// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters where there is no device: the module is asked over
 * netlink, by whichever thread, one at a time.
 *
 * What is mapped never tells of another thread, nor goes back to 0: here this
 * is seen to by comparing.  Once the answer is of somebody else, or of nobody,
 * the last one is given for ever.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "ask.h"
#include "self.h"

static bool same_life(const struct taskrt_stats *a, const struct taskrt_stats *b)
{
	return a->start_time_ns == b->start_time_ns &&
	       a->tracked_since_ns == b->tracked_since_ns;
}

/* Called with the lock held. */
static int ask(struct taskrt_self_rest *rest)
{
	struct taskrt_stats stats;
	int err;

	if (rest->stopped)
		return TASKRT_SELF_STOPPED;
	err = taskrt_get_thread(rest->handle, rest->tid, &stats, sizeof(stats));
	if (err && err != -ESRCH && err != -ENODATA && err != -ENODEV)
		return err;
	if (!err && same_life(&stats, &rest->last)) {
		rest->last = stats;
		rest->stopped = stats.flags & TASKRT_FLAG_EXITED;
	} else {
		rest->stopped = true;
	}
	return rest->stopped ? TASKRT_SELF_STOPPED : 0;
}

int taskrt_ask_stats(const struct taskrt_self *self, struct taskrt_stats *stats, size_t size)
{
	struct taskrt_self_rest *rest;
	int status, err;

	if (!self->mine)
		return -ECHILD;
	rest = taskrt_self_rest(self);
	pthread_mutex_lock(&rest->lock);
	status = ask(rest);
	err = status < 0 ? status :
	      taskrt_decode(&rest->last, sizeof(rest->last), stats, size);
	pthread_mutex_unlock(&rest->lock);
	return err ? err : status;
}

int taskrt_ask_snapshot(const struct taskrt_self *self, struct taskrt_snapshot *now)
{
	struct taskrt_totals *totals = &now->totals;
	struct taskrt_stats stats;
	int status = taskrt_ask_stats(self, &stats, sizeof(stats));

	if (status < 0)
		return status;
	now->at_ns = stats.sample_time_ns;
	now->valid = stats.valid;
	memcpy(totals->states_ns, stats.states_ns, sizeof(totals->states_ns));
	totals->page_fault_time_ns = stats.page_fault_time_ns;
	totals->lock_contention_time_ns = stats.lock_contention_time_ns;
	totals->minor_fault_time_ns = stats.minor_fault_time_ns;
	totals->major_fault_time_ns = stats.major_fault_time_ns;
	memcpy(totals->lock_time_ns, stats.lock_time_ns, sizeof(totals->lock_time_ns));
	memcpy(totals->lock_count, stats.lock_count, sizeof(totals->lock_count));
	totals->voluntary_switches = stats.voluntary_switches;
	totals->involuntary_switches = stats.involuntary_switches;
	totals->wakeups = stats.wakeups;
	totals->minor_faults = stats.minor_faults;
	totals->major_faults = stats.major_faults;
	return status;
}

int taskrt_ask_open(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest = taskrt_self_rest(self);
	int err = taskrt_open(&rest->handle);

	if (err)
		return err;
	rest->tid = gettid();
	err = taskrt_get_thread(rest->handle, rest->tid, &rest->last, sizeof(rest->last));
	if (err)
		return err;
	self->valid = rest->last.valid;
	return 0;
}
