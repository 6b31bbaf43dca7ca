/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ACCESS_H
#define TASKRT_ACCESS_H

#include <linux/sched.h>
#include <linux/skbuff.h>

/*
 * access_allowed() - may the sender of this request see the task's counters?
 *
 * The one check, the same for every command.  Both must be allowed: the
 * task that asks, and whoever opened the socket, which may have been
 * handed to it.  RCU read lock held.
 */
bool access_allowed(const struct sk_buff *request, struct task_struct *task);

/* access_coarse_ns() - to what its times are rounded down; 0: they are exact */
u64 access_coarse_ns(const struct sk_buff *request);

/* The parameter itself. */
u64 access_coarse_parameter(void);

#endif /* TASKRT_ACCESS_H */
