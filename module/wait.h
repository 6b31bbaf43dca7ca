/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_WAIT_H
#define TASKRT_WAIT_H

#include <linux/sched.h>

/*
 * wait_state() - the state of a task that is off the CPU and not runnable, as
 * far as the scheduler knows: neither lock waits nor faults.
 * @task_state: TASK_* with which it was switched out
 */
u8 wait_state(struct task_struct *task, unsigned int task_state);

/* wait_guess() - what a task that nobody has watched seems to be doing now */
u8 wait_guess(struct task_struct *task);

#endif /* TASKRT_WAIT_H */
