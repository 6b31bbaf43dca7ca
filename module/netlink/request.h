/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_REQUEST_H
#define TASKRT_REQUEST_H

#include <linux/pid.h>

struct access_asker;
struct genl_info;
struct netlink_ext_ack;
struct nlattr;
struct nlmsghdr;
struct sk_buff;

/*
 * request_task() - find the task that a request names, if the requester may read it
 * @attr: its id in the current pid namespace; 0 for the current task
 * @type: PIDTYPE_PID for a thread, PIDTYPE_TGID for a process
 *
 * Return: the task, with a reference; or an ERR_PTR, with a text: -ESRCH, -EPERM.
 */
struct task_struct *request_task(const struct access_asker *who, struct genl_info *info,
				 struct nlattr *attr, enum pid_type type);

/*
 * request_alone() - is this request the last one in its datagram?
 *
 * All requests of a datagram are served in one system call, under the lock of generic
 * netlink, and no signal ends that.  One that may take long is not served if others follow.
 * Return: 0; -EINVAL, with a text, if others follow; -EINTR if the requester is being killed.
 */
int request_alone(const struct sk_buff *skb, const struct nlmsghdr *request,
		  struct netlink_ext_ack *extack);

#endif /* TASKRT_REQUEST_H */
