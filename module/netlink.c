// SPDX-License-Identifier: GPL-2.0-only
/* The generic-netlink family: requests in, samples out. */
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include "access.h"
#include "accounting.h"
#include "compat.h"
#include "info.h"
#include "netlink.h"
#include "stats.h"
#include "track.h"

static struct genl_family family;

static const struct nla_policy get_policy[TASKRT_A_VERSION + 1] = {
	[TASKRT_A_TID]		= { .type = NLA_U32 },
	[TASKRT_A_TGID]		= { .type = NLA_U32 },
	[TASKRT_A_VERSION]	= NLA_POLICY_MIN(NLA_U32, 1),
};

/* Without a policy whatever is sent would be silently accepted. */
static const struct nla_policy info_policy[TASKRT_A_TID + 1] = {
	[TASKRT_A_TID] = { .type = NLA_REJECT, .reject_message = "INFO takes no attributes" },
};

static u32 asked_version(struct nlattr **attrs)
{
	struct nlattr *version = attrs[TASKRT_A_VERSION];

	return stats_version(version ? nla_get_u32(version) : TASKRT_STATS_VERSION);
}

/* Aligned to 8 in the message, on every architecture. */
static struct taskrt_stats *reserve_stats(struct sk_buff *skb, u32 version)
{
	struct nlattr *attr;

	if (!IS_ALIGNED(skb->len + NLA_HDRLEN, 8) &&
	    !nla_reserve(skb, TASKRT_AGGR_A_PAD, 0))
		return NULL;
	attr = nla_reserve(skb, TASKRT_AGGR_A_STATS, stats_size(version));
	return attr ? nla_data(attr) : NULL;
}

/* The nest around the statistics of one thread or process, to be filled in. */
static struct taskrt_stats *put_aggregate(struct sk_buff *skb, int aggregate, int id_type,
					  u32 id, u32 version)
{
	struct nlattr *nest = nla_nest_start(skb, aggregate);
	struct taskrt_stats *stats;

	if (!nest || nla_put_u32(skb, id_type, id))
		return NULL;
	stats = reserve_stats(skb, version);
	nla_nest_end(skb, nest);
	return stats;
}

static struct taskrt_stats *put_thread(struct sk_buff *skb, u32 tid, u32 version)
{
	return put_aggregate(skb, TASKRT_A_AGGR_TID, TASKRT_AGGR_A_TID, tid, version);
}

static struct taskrt_stats *put_process(struct sk_buff *skb, u32 tgid, u32 version)
{
	return put_aggregate(skb, TASKRT_A_AGGR_TGID, TASKRT_AGGR_A_TGID, tgid, version);
}

/*
 * get, do
 */

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
	header = genlmsg_put_reply(reply, info, &family, 0, TASKRT_CMD_GET);
	stats = !header ? NULL : process ? put_process(reply, id, view->version) :
					   put_thread(reply, id, view->version);
	if (!stats) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	fill(stats, sample, task, type, view);
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

static int get_one(struct sk_buff *skb, struct genl_info *info, struct nlattr *attr,
		   enum pid_type type)
{
	const struct stats_view view = {
		.pids = task_active_pid_ns(current),
		.users = current_user_ns(),
		.valid = accounting_valid(),
		.coarse_ns = access_coarse_ns(skb),
		.version = asked_version(info->attrs),
	};
	struct task_struct *task;
	struct sample sample;
	int err;

	task = asked_task(skb, info, attr, type);
	if (IS_ERR(task))
		return PTR_ERR(task);
	err = sample_task(task, type, &sample);
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "not tracked: max_threads was reached, or memory was short");
	else
		err = get_reply(info, task, type, &sample, &view);
	put_task_struct(task);
	return err;
}

static int get_do(struct sk_buff *skb, struct genl_info *info)
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

/*
 * get, dump: threads in the order of their ids.  The cursor is an id, so a
 * thread that lives throughout is told exactly once, unless ids change hands,
 * which the generation shows.
 */

struct dump {
	struct pid_namespace *pids;
	struct user_namespace *users;
	struct pid *group;		/* of this process only, or NULL */
	u64 coarse_ns;
	u32 version;
	int next;			/* tid */
};

static_assert(sizeof(struct dump) <= sizeof_field(struct netlink_callback, ctx));

/* Tasks looked at under one RCU read lock. */
#define DUMP_STRIDE	512

static int dump_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = compat_dump_attrs(cb);
	struct dump *dump = (struct dump *)cb->ctx;
	struct nlattr *tgid = attrs[TASKRT_A_TGID];

	if (attrs[TASKRT_A_TID]) {
		NL_SET_ERR_MSG_ATTR(cb->extack, attrs[TASKRT_A_TID],
				    "a dump takes TGID, not TID");
		return -EINVAL;
	}
	memset(dump, 0, sizeof(*dump));
	if (tgid) {
		dump->group = nla_get_u32(tgid) ? find_get_pid(nla_get_u32(tgid)) :
						  get_pid(task_tgid(current));
		if (!dump->group || !pid_has_task(dump->group, PIDTYPE_TGID)) {
			put_pid(dump->group);
			NL_SET_ERR_MSG_ATTR(cb->extack, tgid, "TGID: no such process");
			return -ESRCH;
		}
	}
	dump->pids = get_pid_ns(task_active_pid_ns(current));
	dump->users = get_user_ns(current_user_ns());
	dump->coarse_ns = access_coarse_ns(cb->skb);
	dump->version = asked_version(attrs);
	dump->next = 1;
	return 0;
}

static int dump_done(struct netlink_callback *cb)
{
	struct dump *dump = (struct dump *)cb->ctx;

	put_pid(dump->group);
	put_pid_ns(dump->pids);
	put_user_ns(dump->users);
	return 0;
}

static int dump_thread(struct sk_buff *skb, struct netlink_callback *cb,
		       struct task_struct *task, const struct stats_view *view)
{
	struct thread *t = thread_find(task);
	struct taskrt_stats *stats;
	struct sample sample;
	void *header;

	if (!t)
		return 0;
	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &family, NLM_F_MULTI, TASKRT_CMD_GET);
	if (!header)
		return -EMSGSIZE;
	stats = put_thread(skb, task_pid_nr_ns(task, view->pids), view->version);
	if (!stats) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	thread_sample(t, &sample);
	stats_of_thread(stats, &sample, task, view);
	genl_dump_check_consistent(cb, header);
	genlmsg_end(skb, header);
	return 0;
}

/* 1: more may follow; 0: that was the last; -EMSGSIZE: the message is full */
static int dump_stride(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct stats_view *view)
{
	struct dump *dump = (struct dump *)cb->ctx;
	int i, more = 1;

	rcu_read_lock();
	for (i = 0; i < DUMP_STRIDE && more == 1; i++) {
		struct pid *pid = find_ge_pid(dump->next, dump->pids);
		struct task_struct *task;

		if (!pid) {
			more = 0;
			break;
		}
		task = pid_task(pid, PIDTYPE_PID);
		if (task && (!dump->group || task_tgid(task) == dump->group) &&
		    access_allowed(cb->skb, task))
			more = dump_thread(skb, cb, task, view) ?: 1;
		if (more == 1)
			dump->next = pid_nr_ns(pid, dump->pids) + 1;
	}
	rcu_read_unlock();
	return more;
}

static int get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct dump *dump = (struct dump *)cb->ctx;
	struct stats_view view = {
		.pids = dump->pids,
		.users = dump->users,
		.coarse_ns = dump->coarse_ns,
		.version = dump->version,
	};
	int more;

	if (!accounting_get()) {
		NL_SET_ERR_MSG(cb->extack, "accounting is switched off (parameter enabled)");
		return -ENODATA;
	}
	view.valid = accounting_valid();
	cb->seq = track_generation();
	do {
		more = dump_stride(skb, cb, &view);
		cond_resched();
	} while (more == 1);
	accounting_put();
	return more && !skb->len ? more : skb->len;
}

/*
 * info
 */

static int info_do(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;
	int err;

	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &family, 0, TASKRT_CMD_INFO);
	err = header ? info_put(reply) : -EMSGSIZE;
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

static const struct genl_ops ops[] = {
	{
		.cmd	 = TASKRT_CMD_GET,
		.policy	 = get_policy,
		.maxattr = ARRAY_SIZE(get_policy) - 1,
		.doit	 = get_do,
		.start	 = dump_start,
		.dumpit	 = get_dump,
		.done	 = dump_done,
	}, {
		.cmd	 = TASKRT_CMD_INFO,
		.policy	 = info_policy,
		.maxattr = ARRAY_SIZE(info_policy) - 1,
		.doit	 = info_do,
	},
};

static struct genl_family family = {
	.name		= TASKRT_GENL_NAME,
	.version	= TASKRT_GENL_VERSION,
	.maxattr	= TASKRT_A_MAX,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.ops		= ops,
	.n_ops		= ARRAY_SIZE(ops),
};

int netlink_init(void)
{
	return genl_register_family(&family);
}

void netlink_exit(void)
{
	genl_unregister_family(&family);
}
