/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters that the kernel keeps for each task, from its creation on. */
#ifndef TASKRT_COUNTERS_H
#define TASKRT_COUNTERS_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/taskrt_numbers.h>

/* The counters of one task, or the sums of several. */
struct counters {
	u64 voluntary_switches;
	u64 involuntary_switches;
	u64 minor_faults;
	u64 major_faults;
	u64 user_ns;
	u64 system_ns;
};

#define VALUES_OF_SWITCH	(BIT_ULL(TASKRT_VALUE_VOLUNTARY_SWITCHES) | \
				 BIT_ULL(TASKRT_VALUE_INVOLUNTARY_SWITCHES))
#define VALUES_OF_FAULT		(BIT_ULL(TASKRT_VALUE_MINOR_FAULTS) | \
				 BIT_ULL(TASKRT_VALUE_MAJOR_FAULTS))
#define VALUES_OF_TIME		(BIT_ULL(TASKRT_VALUE_USER_NS) | \
				 BIT_ULL(TASKRT_VALUE_SYSTEM_NS))

/* The kernel does not count these for a task: the engine does. */
#define VALUES_OF_CYCLES	(BIT_ULL(TASKRT_VALUE_CYCLES) | \
				 BIT_ULL(TASKRT_VALUE_INSTRUCTIONS) | \
				 BIT_ULL(TASKRT_VALUE_CYCLES_NS))

static_assert((VALUES_OF_SWITCH | VALUES_OF_FAULT | VALUES_OF_TIME) ==
	      TASKRT_VALUES_SINCE_CREATION);

/* The hooks that update a mapped page call these two. */
static inline void counters_of_switch(u64 *values, const struct task_struct *task)
{
	values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = READ_ONCE(task->nvcsw);
	values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] = READ_ONCE(task->nivcsw);
}

static inline void counters_of_fault(u64 *values, const struct task_struct *task)
{
	values[TASKRT_VALUE_MINOR_FAULTS] = READ_ONCE(task->min_flt);
	values[TASKRT_VALUE_MAJOR_FAULTS] = READ_ONCE(task->maj_flt);
}

/*
 * For user_ns and system_ns, the kernel splits the time that the task has run in the proportion of
 * its ticks in user and in kernel mode, as for getrusage(2).  Neither part ever decreases.
 *
 * Context: any, but not under a pi_lock or a runqueue lock.  The kernel takes a raw lock of the
 * task; with nohz_full=, it also takes the pi_lock and the runqueue lock of a running task.
 */
static inline void counters_of_task(struct counters *c, struct task_struct *task)
{
	c->voluntary_switches = READ_ONCE(task->nvcsw);
	c->involuntary_switches = READ_ONCE(task->nivcsw);
	c->minor_faults = READ_ONCE(task->min_flt);
	c->major_faults = READ_ONCE(task->maj_flt);
	task_cputime_adjusted(task, &c->user_ns, &c->system_ns);
}

/* Stores the counters at their indexes in the uapi's array of values. */
static inline void counters_put(u64 *values, const struct counters *c)
{
	values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = c->voluntary_switches;
	values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] = c->involuntary_switches;
	values[TASKRT_VALUE_MINOR_FAULTS] = c->minor_faults;
	values[TASKRT_VALUE_MAJOR_FAULTS] = c->major_faults;
	values[TASKRT_VALUE_USER_NS] = c->user_ns;
	values[TASKRT_VALUE_SYSTEM_NS] = c->system_ns;
}

static inline void counters_add(u64 *values, const struct counters *c)
{
	values[TASKRT_VALUE_VOLUNTARY_SWITCHES] += c->voluntary_switches;
	values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] += c->involuntary_switches;
	values[TASKRT_VALUE_MINOR_FAULTS] += c->minor_faults;
	values[TASKRT_VALUE_MAJOR_FAULTS] += c->major_faults;
	values[TASKRT_VALUE_USER_NS] += c->user_ns;
	values[TASKRT_VALUE_SYSTEM_NS] += c->system_ns;
}

#endif /* TASKRT_COUNTERS_H */
