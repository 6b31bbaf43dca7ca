/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long each control group has been throttled on each CPU, by its own quota or an
 * ancestor's: a clock that runs while it is throttled.  A queued thread was throttled for as
 * long as the clock of its group has run since it was queued.
 *
 * The clock of a group starts when the group is throttled for the first time, so a group without
 * a clock has one that stands at 0.  Each CPU has a table of clocks, of a fixed size.  The
 * runqueue lock of that CPU protects writes to the table; a clock has a sequence count for
 * readers.
 *
 * A group is known by its address.  A clock that has stood for ten seconds, or run for a minute,
 * may be given to another group.  A new group at the address of a removed one gets its clock: only
 * differences count, and a queued thread corrects a clock that runs although it should not.
 */
#ifndef TASKRT_THROTTLE_H
#define TASKRT_THROTTLE_H

#include <linux/types.h>
#include "compat/compat.h"
#include "engine/totals.h"
#include "task/thread.h"

#ifdef COMPAT_THROTTLES_GROUPS
/* A group was throttled since throttle_reset().  Until then no clock need be asked. */
extern bool throttle_met;

static __always_inline bool throttle_any(void)
{
	return READ_ONCE(throttle_met);
}

/* Module load and unload. */
int throttle_init(void);
void throttle_exit(void);

/* Forgets all groups.  No hook runs. */
void throttle_reset(void);

/*
 * throttle_begin(), throttle_end() - a group, or one that it is in, is throttled on a CPU, or no
 * longer; they nest
 * throttle_correct() - the group is throttled on a CPU, or not, as one of its threads shows
 *
 * Context: the runqueue lock of @cpu.
 * Return: false if the table is full.
 */
bool throttle_begin(unsigned int cpu, const struct task_group *group);
void throttle_end(unsigned int cpu, const struct task_group *group);
bool throttle_correct(unsigned int cpu, const struct task_group *group, bool throttled);

/* Was the group ever throttled on the CPU?  It spares its threads a reading of the time. */
bool throttle_has_clock(unsigned int cpu, const struct task_group *group);

/*
 * throttle_clock() - for how long a group has been throttled on a CPU
 * @running: set to whether it is throttled now
 *
 * Context: any.
 */
u64 throttle_clock(unsigned int cpu, const struct task_group *group, u64 now, bool *running);

/*
 * throttle_wait() - how much of the present wait of a queued thread was throttled
 *
 * Context: a hook with the runqueue lock of the thread; or RCU, or a lock under which the
 * thread's task cannot be freed, and record_read_retry() follows.
 */
struct totals_wait throttle_wait(const struct thread *t, u64 now);

/* throttle_memory() - the memory of the tables, in bytes */
u64 throttle_memory(void);
#else
static __always_inline bool throttle_any(void)
{
	return false;
}

static inline int throttle_init(void)
{
	return 0;
}

static inline void throttle_exit(void) {}

static inline struct totals_wait throttle_wait(const struct thread *t, u64 now)
{
	return (struct totals_wait){};
}

static inline u64 throttle_memory(void)
{
	return 0;
}
#endif

#endif /* TASKRT_THROTTLE_H */
