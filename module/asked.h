/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_ASKED_H
#define TASKRT_ASKED_H

#include <linux/pid.h>

struct genl_info;
struct nlattr;
struct sk_buff;

/*
 * asked_task() - the one task named by a request, if the sender may see it
 * @attr: its number, in the sender's pid namespace; 0: the sender's own
 * With a reference.  ERR_PTR with a text: -ESRCH, -EPERM.
 */
struct task_struct *asked_task(struct sk_buff *skb, struct genl_info *info,
			       struct nlattr *attr, enum pid_type type);

#endif /* TASKRT_ASKED_H */
