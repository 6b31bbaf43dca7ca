/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters that the kernel keeps for each task.  They are copied by the functions
 * below and nowhere else.  There is one function for each hook that updates a mapped
 * page with new values.
 */
#ifndef TASKRT_VALUES_H
#define TASKRT_VALUES_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/taskrt_numbers.h>

#define VALUES_OF_SWITCH	(BIT_ULL(TASKRT_VALUE_VOLUNTARY_SWITCHES) | \
				 BIT_ULL(TASKRT_VALUE_INVOLUNTARY_SWITCHES))

static inline void values_of_switch(u64 *values, const struct task_struct *task)
{
	values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = READ_ONCE(task->nvcsw);
	values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] = READ_ONCE(task->nivcsw);
}

#define VALUES_OF_FAULT		(BIT_ULL(TASKRT_VALUE_MINOR_FAULTS) | \
				 BIT_ULL(TASKRT_VALUE_MAJOR_FAULTS))

static inline void values_of_fault(u64 *values, const struct task_struct *task)
{
	values[TASKRT_VALUE_MINOR_FAULTS] = READ_ONCE(task->min_flt);
	values[TASKRT_VALUE_MAJOR_FAULTS] = READ_ONCE(task->maj_flt);
}

static_assert((VALUES_OF_SWITCH | VALUES_OF_FAULT) == TASKRT_VALUES_SINCE_CREATION);

static inline void values_of_task(u64 *values, const struct task_struct *task)
{
	values_of_switch(values, task);
	values_of_fault(values, task);
}

#endif /* TASKRT_VALUES_H */
