// SPDX-License-Identifier: GPL-2.0-only
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <net/genetlink.h>
#include "netlink/access.h"
#include "netlink/request.h"

struct task_struct *request_task(const struct access_asker *who, struct genl_info *info,
				 struct nlattr *attr, enum pid_type type)
{
	const u32 nr = nla_get_u32(attr);
	struct task_struct *task;
	int err = -ESRCH;

	rcu_read_lock();
	if (nr)
		task = pid_task(find_vpid(nr), type);
	else
		task = type == PIDTYPE_TGID ? current->group_leader : current;
	if (!task && type == PIDTYPE_TGID) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "TGID: no such process");
	} else if (!task) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "TID: no such thread");
	} else if (!access_allowed(who, task)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "not permitted: needs the same user and a dumpable task, or CAP_PERFMON or CAP_SYS_PTRACE");
		err = -EPERM;
	} else {
		get_task_struct(task);
		err = 0;
	}
	rcu_read_unlock();
	return err ? ERR_PTR(err) : task;
}

/* netlink_rcv_skb() takes each request off the datagram after it has been served. */
int request_alone(const struct sk_buff *skb, const struct nlmsghdr *request,
		  struct netlink_ext_ack *extack)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	if (skb->len <= NLMSG_ALIGN(request->nlmsg_len))
		return 0;
	NL_SET_ERR_MSG(extack, "this request must be the last one in its datagram");
	return -EINVAL;
}
