// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A thread's own counters where there is no device.  They are requested over netlink, by any
 * thread, one request at a time.
 *
 * Mapped counters never become the counters of another thread and never start again at 0.  Here
 * each answer is compared with the last one to ensure the same.  If an answer is about another
 * thread, or there is none, the last one is returned from then on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/taskrt_numbers.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "self/self_netlink.h"
#include "self/handle.h"
#include "sized.h"

static bool same_life(const struct taskrt_stats *a, const struct taskrt_stats *b)
{
	return a->start_time_ns == b->start_time_ns &&
	       a->tracked_since_ns == b->tracked_since_ns;
}

/*
 * A parameter of the module may switch the measuring of interrupts on or off at any time.  A total
 * that was not there all the time would seem to come from the last interval.
 */
static void only_measured_always(struct taskrt_reading *reading, uint32_t timers)
{
	uint32_t changed;
	unsigned int i;

	timers |= reading->stats.measured.timers & TASKRT_TIMERS_FROM_0;
	changed = reading->stats.measured.timers ^ timers;
	reading->stats.measured.timers &= timers;
	for (i = 0; changed && i < TASKRT_TIMERS_ROOM; i++) {
		if (!(changed >> i & 1))
			continue;
		reading->times.timers_ns[i] = 0;
		reading->counts.timers[i] = 0;
		reading->longests.timers[i] = (struct taskrt_longest){ 0 };
	}
}

/*
 * Called with the lock held.  A group that was requested once is requested always, so
 * that the last answer has all of them, of one instant.
 */
static int self_netlink_request(struct taskrt_self_rest *rest, uint32_t groups)
{
	struct taskrt_reading reading;
	int err;

	if (rest->final)
		return 0;
	rest->groups |= groups;
	err = taskrt_get(rest->handle, TASKRT_ENTITY_THREAD, rest->tid, rest->groups,
			 &reading, sizeof(reading));
	if (err && err != -ESRCH && err != -ENODATA && err != -ENODEV)
		return err;
	if (!err && same_life(&reading.stats, &rest->last.stats)) {
		only_measured_always(&reading, rest->last.stats.measured.timers);
		rest->last = reading;
		rest->final = reading.stats.flags & TASKRT_FLAG_EXITED;
	} else {
		rest->final = true;
	}
	return 0;
}

/* Clear the groups of the last answer that this call did not request. */
static void self_netlink_keep(struct taskrt_reading *reading, uint32_t groups)
{
	reading->groups &= groups;
	if (!(reading->groups & TASKRT_GROUP_TIMES))
		memset(&reading->times, 0, sizeof(reading->times));
	if (!(reading->groups & TASKRT_GROUP_COUNTS))
		memset(reading->counts_room, 0, sizeof(reading->counts_room));
	if (!(reading->groups & TASKRT_GROUP_LONGEST))
		memset(&reading->longests, 0, sizeof(reading->longests));
}

static int self_netlink_fetch(struct taskrt_self *self, uint32_t groups,
			      struct taskrt_reading *reading)
{
	struct taskrt_self_rest *rest;
	int err;

	if (!self->mine)
		return -ECHILD;
	rest = taskrt_self_rest(self);
	pthread_mutex_lock(&rest->lock);
	err = self_netlink_request(rest, groups);
	if (!err) {
		*reading = rest->last;
		reading->flags = rest->final ? TASKRT_FINAL : 0;
	}
	pthread_mutex_unlock(&rest->lock);
	return err;
}

int taskrt_self_netlink_get(struct taskrt_self *self, uint32_t groups,
			    struct taskrt_reading *reading, size_t size)
{
	struct taskrt_reading full;
	int err = self_netlink_fetch(self, groups, &full);

	if (err)
		return err;
	self_netlink_keep(&full, groups);
	taskrt_sized_out(reading, size, &full, sizeof(full));
	return 0;
}

int taskrt_self_netlink_read(struct taskrt_self *self, struct taskrt_snapshot *now)
{
	struct taskrt_reading full;
	int err = self_netlink_fetch(self, TASKRT_GROUP_TIMES, &full);

	if (err)
		return err;
	now->at_ns = full.stats.sample_time_ns;
	now->flags = full.flags;
	now->times = full.times;
	return 0;
}

/* A later module may have states that this library does not know.  INFO has their parents. */
static int request_parents(struct taskrt_self_rest *rest)
{
	struct taskrt_info info;
	struct taskrt_name name;
	int err = taskrt_get_info(rest->handle, &info, sizeof(info));
	uint32_t i;

	for (i = 0; !err && i < info.nr_names; i++) {
		err = taskrt_info_name(rest->handle, i, &name, sizeof(name));
		if (!err && name.kind == TASKRT_NAME_STATE && name.number < TASKRT_STATES_ROOM &&
		    name.parent < TASKRT_STATES_ROOM)
			rest->parent[name.number] = name.parent;
	}
	return err;
}

int taskrt_self_netlink_open(struct taskrt_self *self)
{
	struct taskrt_self_rest *rest = taskrt_self_rest(self);
	int err = taskrt_open(&rest->handle), i;

	if (err)
		return err;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		rest->parent[i] = i;
	rest->tid = gettid();
	rest->groups = TASKRT_GROUP_TIMES;
	err = taskrt_get(rest->handle, TASKRT_ENTITY_THREAD, rest->tid, rest->groups,
			 &rest->last, sizeof(rest->last));
	if (err)
		return err;
	self->measured = rest->last.stats.measured;
	return self->measured.states >> KNOWN_STATES ? request_parents(rest) : 0;
}
