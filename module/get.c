// SPDX-License-Identifier: GPL-2.0-only
/* GET of one thread or one process. */
#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include "access.h"
#include "accounting.h"
#include "message.h"
#include "netlink.h"
#include "stats.h"

/* The one task named by a request, with a reference, if the sender may see it. */
static struct task_struct *asked_task(struct sk_buff *skb, struct genl_info *info,
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
	} else if (!access_allowed(skb, task)) {
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

static int sample_task(struct task_struct *task, enum pid_type type, struct sample *sample)
{
	struct process *p;
	struct thread *t;

	if (type == PIDTYPE_TGID) {
		p = process_find_get(task->signal);
		if (!p)
			return -ENODATA;
		process_sample(p, sample);
		process_put(p);
		return 0;
	}
	rcu_read_lock();
	t = thread_find(task);
	if (t)
		thread_sample(t, sample);
	rcu_read_unlock();
	return t ? 0 : -ENODATA;
}

/* Why there is nothing to tell of a task that was there a moment ago. */
static int explain(struct genl_info *info, struct nlattr *attr, struct task_struct *task, int err)
{
	if (!pid_alive(task)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "it has just ended");
		return -ESRCH;
	}
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "not tracked: max_threads was reached, or memory was short");
	return err;
}

static void fill(struct taskrt_stats *stats, const struct sample *sample,
		 struct task_struct *task, enum pid_type type, const struct stats_view *view)
{
	rcu_read_lock();
	if (type == PIDTYPE_TGID)
		stats_of_process(stats, sample, task, view);
	else
		stats_of_thread(stats, sample, task, view);
	rcu_read_unlock();
}

static int get_reply(struct genl_info *info, struct task_struct *task, enum pid_type type,
		     const struct sample *sample, const struct stats_view *view)
{
	const bool process = type == PIDTYPE_TGID;
	struct taskrt_stats *stats;
	struct sk_buff *reply;
	void *header;
	u32 id;

	reply = genlmsg_new(nla_total_size(nla_total_size(sizeof(u32)) + nla_total_size(0) +
					   nla_total_size(stats_size(view->version))), GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	id = process ? task_tgid_nr_ns(task, view->pids) : task_pid_nr_ns(task, view->pids);
	header = genlmsg_put_reply(reply, info, &netlink_family, 0, TASKRT_CMD_GET);
	if (!header)
		goto full;
	stats = process ? message_put_process(reply, id, view->version) :
			  message_put_thread(reply, id, view->version);
	if (!stats)
		goto full;
	fill(stats, sample, task, type, view);
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);

full:
	nlmsg_free(reply);
	return -EMSGSIZE;
}

static int get_one(struct sk_buff *skb, struct genl_info *info, struct nlattr *attr,
		   enum pid_type type)
{
	const struct stats_view view = {
		.pids = task_active_pid_ns(current),
		.users = current_user_ns(),
		.valid = accounting_valid(),
		.coarse_ns = access_coarse_ns(skb),
		.version = message_version(info->attrs[TASKRT_A_VERSION]),
	};
	struct task_struct *task;
	struct sample sample;
	int err;

	task = asked_task(skb, info, attr, type);
	if (IS_ERR(task))
		return PTR_ERR(task);
	err = sample_task(task, type, &sample);
	if (err)
		err = explain(info, attr, task, err);
	else
		err = get_reply(info, task, type, &sample, &view);
	put_task_struct(task);
	return err;
}

int get_do(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *tid = info->attrs[TASKRT_A_TID];
	struct nlattr *tgid = info->attrs[TASKRT_A_TGID];
	int err;

	if (!tid == !tgid) {
		NL_SET_ERR_MSG(info->extack, "GET takes exactly one of TID and TGID");
		return -EINVAL;
	}
	if (!accounting_get()) {
		NL_SET_ERR_MSG(info->extack, "accounting is switched off (parameter enabled)");
		return -ENODATA;
	}
	err = get_one(skb, info, tid ?: tgid, tid ? PIDTYPE_PID : PIDTYPE_TGID);
	accounting_put();
	return err;
}
