/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A control group has a clock on each CPU, which runs while the group is throttled there, by its
 * own quota or an ancestor's.  A queued thread was throttled for as long as the clock of its group
 * has run since the thread was queued.
 *
 * A group gets a clock when it is throttled for the first time; until then, its clock is taken to
 * stand at 0.  Each CPU has a table of clocks, of a fixed size, which is written under the
 * runqueue lock of that CPU.  Each clock has a sequence count for readers.
 *
 * A group is known by its address.  A clock that has stood for ten seconds, or run for a minute,
 * may be given to another group.  A new group at the address of a removed one inherits the old
 * clock.  This does no harm: only differences of its time count, and if it runs by mistake,
 * throttle_correct() stops it.
 */
#ifndef TASKRT_THROTTLE_H
#define TASKRT_THROTTLE_H

#include <linux/types.h>
#include "compat/compat.h"
#include "engine/totals.h"
#include "task/thread.h"

#ifdef COMPAT_THROTTLES_GROUPS
/* Set when a group is first throttled after throttle_reset(); before, all clocks stand at 0. */
extern bool throttle_met;

static __always_inline bool throttle_any(void)
{
	return READ_ONCE(throttle_met);
}

int throttle_init(void);
void throttle_exit(void);

/* Forgets all groups.  No hook runs. */
void throttle_reset(void);

/*
 * throttle_begin() - the group or an ancestor is throttled on a CPU
 * throttle_end() - this has ended
 * throttle_correct() - a thread of the group shows whether the group is throttled on a CPU
 *
 * throttle_begin() and throttle_end() nest.  Context: the runqueue lock of @cpu.
 * Return: false if the table is full.
 */
bool throttle_begin(unsigned int cpu, const struct task_group *group);
void throttle_end(unsigned int cpu, const struct task_group *group);
bool throttle_correct(unsigned int cpu, const struct task_group *group, bool throttled);

/* False if the clock of the group stands at 0: then its threads need not read the time. */
bool throttle_has_clock(unsigned int cpu, const struct task_group *group);

/* For how long a group was throttled on a CPU.  @running: set to whether it is now. */
u64 throttle_clock(unsigned int cpu, const struct task_group *group, u64 now, bool *running);

/*
 * How much of the present wait of a queued thread was throttled.
 * Context: a hook with the runqueue lock of the thread; or the caller keeps the thread's task from
 * being freed, by RCU or a lock, and calls record_read_retry() after this.
 */
struct totals_wait throttle_wait(const struct thread *t, u64 now);

/* The bytes of the tables. */
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
