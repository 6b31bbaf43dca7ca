/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_REQUEST_H
#define TASKRT_REQUEST_H

#include <linux/pid.h>

struct access_asker;
struct genl_info;
struct nlattr;

/*
 * request_task() - the one task named by a request, if who asks may see it
 * @attr: its number, in the current pid namespace; 0: the current one
 * With a reference.  ERR_PTR with a text: -ESRCH, -EPERM.
 */
struct task_struct *request_task(const struct access_asker *who, struct genl_info *info,
			       struct nlattr *attr, enum pid_type type);

#endif /* TASKRT_REQUEST_H */
