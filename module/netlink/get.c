// SPDX-License-Identifier: GPL-2.0-only
/* GET of one thread or one process. */
#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include <net/netlink.h>
#include "accounting.h"
#include "compat/cgroups.h"
#include "compat/compat.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/message.h"
#include "netlink/stats.h"
#include "policy/access.h"
#include "policy/coarse.h"
#include "task/children.h"
#include "task/sample.h"

/* Longer names are truncated. */
#define WCHAN_NAME_SIZE	64

/* A request for one task, and its samples. */
struct answer {
	struct task_struct *task;
	enum pid_type type;
	struct sample sample;
	struct sample *children;	/* NULL if not requested */
};

static int get_sample_task(struct answer *answer, u32 groups)
{
	struct process *p;
	struct thread *t;
	int err;

	if (answer->type == PIDTYPE_TGID) {
		p = process_find_get(answer->task->signal);
		if (!p)
			return -ENODATA;
		err = process_sample(p, &answer->sample, groups);
		if (!err && answer->children)
			children_sample(p, answer->children);
		process_put(p);
		return err;
	}
	rcu_read_lock();
	t = process_thread(answer->task);
	if (t)
		thread_sample(t, &answer->sample, groups);
	rcu_read_unlock();
	return t ? 0 : -ENODATA;
}

static int get_ended(struct genl_info *info, struct nlattr *attr)
{
	NL_SET_ERR_MSG_ATTR(info->extack, attr, "the task has just ended");
	return -ESRCH;
}

/* Explains why a task that was found has no record. */
static int get_explain(struct genl_info *info, struct nlattr *attr, struct task_struct *task,
		       int err)
{
	if (!pid_alive(task))
		return get_ended(info, attr);
	if (compat_task_state(task) & TASK_NEW) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "the task is just being created");
		return -ESRCH;
	}
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "not tracked, or not yet: max_threads was reached, or memory was short");
	return err;
}

/* The totals may include set-user-id programs, so the wchans of children are not revealed. */
static int get_put_children(struct sk_buff *reply, const struct answer *answer,
			    const struct stats_ids *ids, const struct stats_view *view)
{
	struct stats_view without = *view;
	struct stats_aggr aggr;
	int err;

	without.groups &= STATS_GROUPS;
	err = message_put_children(reply, ids->tgid, &without, &aggr);
	if (!err)
		stats_of_children(&aggr, answer->children, answer->task, ids, &without);
	return err;
}

static int get_put_wchan(struct sk_buff *skb, u32 state, u32 wchan)
{
	struct nlattr *nest = nla_nest_start(skb, TASKRT_SITES_A_SITE);
	char name[WCHAN_NAME_SIZE];

	if (!nest)
		return -EMSGSIZE;
	wchan_name(wchan, name, sizeof(name));
	if (nla_put_u32(skb, TASKRT_SITE_A_STATE, state) ||
	    nla_put_string(skb, TASKRT_SITE_A_NAME, name))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Adds the wchans to @aggr, the last nest of the message, if the view requests them. */
static int get_put_wchans(struct sk_buff *skb, const struct stats_aggr *aggr,
			  const struct totals *t, const struct stats_view *view)
{
	struct nlattr *nest;
	int err = 0, i;

	if (!(view->groups & TASKRT_GROUP_SITES))
		return 0;
	/* Put the nest even if it is empty: it shows that this module reports wchans. */
	nest = nla_nest_start(skb, TASKRT_AGGR_A_SITES);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < NR_STATES && !err; i++)
		if (t->wchans[i] && view->measured->states & BIT(i))
			err = get_put_wchan(skb, i, t->wchans[i]);
	nla_nest_end(skb, nest);
	nla_nest_end(skb, aggr->nest);
	return err;
}

/* The maximum size of the wchans in a message, in bytes. */
static size_t get_wchans_size(const struct stats_view *view)
{
	const size_t one = nla_total_size(nla_total_size(sizeof(u32)) +
					  nla_total_size(WCHAN_NAME_SIZE));

	return view->groups & TASKRT_GROUP_SITES ? nla_total_size(NR_WCHANS * one) : 0;
}

static int get_put_answer(struct sk_buff *reply, const struct answer *answer,
			  const struct stats_view *view)
{
	const bool process = answer->type == PIDTYPE_TGID;
	struct task_struct *task = answer->task;
	struct stats_aggr aggr;
	struct stats_ids ids;
	int err;

	rcu_read_lock();
	ids = stats_ids_of(task, view);
	/*
	 * A task without the id was reaped.  For a process, the tgid is enough: if another thread
	 * has executed a program since, this old leader has no tid, but the process still exists.
	 */
	if (!ids.tgid || (!process && !ids.tid)) {
		rcu_read_unlock();
		return -ESRCH;
	}
	err = process ? message_put_process(reply, ids.tgid, NULL, view, &aggr) :
			message_put_thread(reply, ids.tid, NULL, view, &aggr);
	if (!err && process)
		stats_of_process(&aggr, &answer->sample, task, &ids, view);
	else if (!err)
		stats_of_thread(&aggr, &answer->sample, task, &ids, view);
	if (!err)
		err = get_put_wchans(reply, &aggr, &answer->sample.totals, view);
	if (!err && answer->children)
		err = get_put_children(reply, answer, &ids, view);
	rcu_read_unlock();
	return err;
}

static int get_reply(struct genl_info *info, struct nlattr *attr, const struct answer *answer,
		     const struct stats_view *view)
{
	struct sk_buff *reply;
	void *header;
	int err;

	reply = genlmsg_new((message_aggregate_size(view) << !!answer->children) +
			    get_wchans_size(view), GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &family, 0, TASKRT_CMD_GET);
	err = header ? get_put_answer(reply, answer, view) : -EMSGSIZE;
	if (err) {
		nlmsg_free(reply);
		return err == -ESRCH ? get_ended(info, attr) : err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

/*
 * The task may have executed a set-user-id program after it was checked.  The sample may then
 * include the program's counters.  To check again is enough: an exec changes the credentials before
 * the program runs.  The current process needs no check: an exec by another of its threads waits
 * until the current thread has ended.
 */
static int get_check_again(const struct access_requester *who, struct genl_info *info,
			   struct nlattr *attr, const struct answer *answer)
{
	struct task_struct *task;
	bool same;

	if (answer->task == current || answer->task == current->group_leader)
		return 0;
	task = access_task(who, attr, answer->type, info->extack);
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* Do not compare the tasks: the process may have another leader now. */
	same = task->signal == answer->task->signal;
	put_task_struct(task);
	return same ? 0 : get_ended(info, attr);
}

static int get_as(const struct access_requester *who, struct genl_info *info, struct nlattr *attr,
		  struct answer *answer)
{
	struct stats_view view = {
		.pids = task_active_pid_ns(current),
		.users = current_user_ns(),
		.cgroups = cgroups_root(),
		.valid = accounting_valid(),
		.measured = accounting_measured(),
		.hidden = access_hidden(who, READ_ONCE(accounting_measured()->values)),
		.coarse_ns = coarse_for(who),
	};
	int err = message_format(&view, STATS_GROUPS_OF_ONE, info->attrs[TASKRT_A_VERSION],
				 info->attrs[TASKRT_A_GROUPS], info->extack);

	if (err)
		return err;
	answer->task = access_task(who, attr, answer->type, info->extack);
	if (IS_ERR(answer->task))
		return PTR_ERR(answer->task);
	accounting_renew(answer->task);
	err = get_sample_task(answer, view.groups);
	if (err == -ENODATA)
		err = get_explain(info, attr, answer->task, err);
	else if (!err)
		err = get_check_again(who, info, attr, answer) ?:
		      get_reply(info, attr, answer, &view);
	put_task_struct(answer->task);
	return err;
}

static int get_one(struct sk_buff *skb, struct genl_info *info, struct nlattr *attr,
		   struct answer *answer)
{
	struct access_requester who;
	int err = access_requester_init(&who, skb);

	return err ?: get_as(&who, info, attr, answer);
}

static int get_with_children(struct sk_buff *skb, struct genl_info *info, struct nlattr *tgid,
			     struct answer *answer)
{
	struct nlattr *children = info->attrs[TASKRT_A_CHILDREN];
	int err;

	if (!accounting_knows_children()) {
		NL_SET_ERR_MSG_ATTR(info->extack, children,
				    "children are not measured: see the hook release_task in INFO");
		return -EOPNOTSUPP;
	}
	answer->children = kmalloc(sizeof(*answer->children), GFP_KERNEL);
	if (!answer->children)
		return -ENOMEM;
	err = get_one(skb, info, tgid, answer);
	kfree(answer->children);
	return err;
}

/* Refuses attributes that only a dump takes, instead of ignoring them. */
static int get_check(struct genl_info *info)
{
	struct nlattr *tid = info->attrs[TASKRT_A_TID];
	struct nlattr *children = info->attrs[TASKRT_A_CHILDREN];
	struct nlattr *of_dump = info->attrs[TASKRT_A_FILTER] ?: info->attrs[TASKRT_A_ENTITIES];

	if (!tid == !info->attrs[TASKRT_A_TGID]) {
		NL_SET_ERR_MSG(info->extack, "GET takes exactly one of TID and TGID");
		return -EINVAL;
	}
	if (tid && children) {
		NL_SET_ERR_MSG_ATTR(info->extack, children,
				    "CHILDREN needs TGID: only a process has children");
		return -EINVAL;
	}
	if (of_dump) {
		NL_SET_ERR_MSG_ATTR(info->extack, of_dump,
				    "FILTER and ENTITIES are for dumps only");
		return -EINVAL;
	}
	return 0;
}

int get_do(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *tid = info->attrs[TASKRT_A_TID];
	struct nlattr *tgid = info->attrs[TASKRT_A_TGID];
	struct answer answer __uninitialized;
	int err = get_check(info);

	if (!err && !tid)
		err = family_check_alone(skb, info->nlhdr, info->extack);
	if (err)
		return err;
	if (!accounting_get()) {
		NL_SET_ERR_MSG(info->extack, "accounting is switched off (parameter enabled)");
		return -ENODATA;
	}
	answer.type = tid ? PIDTYPE_PID : PIDTYPE_TGID;
	answer.children = NULL;
	if (info->attrs[TASKRT_A_CHILDREN])
		err = get_with_children(skb, info, tgid, &answer);
	else
		err = get_one(skb, info, tid ?: tgid, &answer);
	accounting_put();
	return err;
}
