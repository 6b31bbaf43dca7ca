// SPDX-License-Identifier: GPL-2.0-only
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include "compat/cgroups.h"
#include "netlink/filter.h"

#define NOT_SERVED {							\
	.type = NLA_REJECT,						\
	.reject_message = "FILTER: this module does not serve the condition",	\
}

/* Unknown conditions are refused: to ignore one would return more than was requested. */
const struct nla_policy filter_policy[TASKRT_FILTER_A_MAX + 1] = {
	[TASKRT_FILTER_A_PAD]	 = { .type = NLA_FLAG },
	[TASKRT_FILTER_A_OWN]	 = { .type = NLA_FLAG },
	[TASKRT_FILTER_A_TGID]	 = { .type = NLA_U32 },
	[TASKRT_FILTER_A_CGROUP] = { .type = NLA_U64 },
	[TASKRT_FILTER_A_UID]	 = NOT_SERVED,
	[TASKRT_FILTER_A_STATES] = NOT_SERVED,
	[TASKRT_FILTER_A_POLICY] = NOT_SERVED,
	[TASKRT_FILTER_A_COMM]	 = NOT_SERVED,
	[TASKRT_FILTER_A_CHANGED_SINCE] = NOT_SERVED,
};

int filter_parse_tgid(struct filter *f, const struct nlattr *attr,
		      struct netlink_ext_ack *extack)
{
	struct pid *tgid;
	u32 nr;

	if (!attr)
		return 0;
	if (f->nr_tgids == TASKRT_FILTER_TGIDS_MAX) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: a filter has at most 64");
		return -E2BIG;
	}
	nr = nla_get_u32(attr);
	tgid = nr ? find_get_pid(nr) : get_pid(task_tgid(current));
	if (tgid && pid_has_task(tgid, PIDTYPE_TGID)) {
		f->tgids[f->nr_tgids++] = tgid;
		return 0;
	}
	put_pid(tgid);
	NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: no such process");
	return -ESRCH;
}

static int filter_parse_tgids(struct filter *f, const struct nlattr *nest,
			      struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int left, err = 0;

	nla_for_each_nested(attr, nest, left) {
		if (nla_type(attr) == TASKRT_FILTER_A_TGID)
			err = filter_parse_tgid(f, attr, extack);
		if (err)
			break;
	}
	return err;
}

int filter_parse(struct filter *f, const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	struct nlattr *attrs[TASKRT_FILTER_A_MAX + 1];
	int err;

	if (!nest)
		return 0;
	err = nla_parse_nested(attrs, TASKRT_FILTER_A_MAX, nest, filter_policy, extack);
	if (err)
		return err;
	f->own = attrs[TASKRT_FILTER_A_OWN];
	return filter_parse_tgids(f, nest, extack);
}

static int filter_look_up_cgroup(struct filter *f, const struct nlattr *attr,
				 struct netlink_ext_ack *extack)
{
	struct cgroup *cgroup = cgroups_find(nla_get_u64(attr));

	if (!IS_ERR(cgroup)) {
		f->cgroup = cgroup;
		return 0;
	}
	if (PTR_ERR(cgroup) == -ENOENT)
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "CGROUP: no such cgroup in the v2 hierarchy");
	else if (PTR_ERR(cgroup) == -EOPNOTSUPP)
		NL_SET_ERR_MSG_ATTR(extack, attr, "CGROUP: this kernel has no cgroups");
	return PTR_ERR(cgroup);
}

int filter_find_cgroup(struct filter *f, const struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *attrs[TASKRT_FILTER_A_MAX + 1];
	int err;

	if (!nest)
		return 0;
	err = nla_parse_nested(attrs, TASKRT_FILTER_A_MAX, nest, filter_policy, extack);
	if (err || !attrs[TASKRT_FILTER_A_CGROUP])
		return err;
	return filter_look_up_cgroup(f, attrs[TASKRT_FILTER_A_CGROUP], extack);
}

void filter_free(struct filter *f)
{
	while (f->nr_tgids)
		put_pid(f->tgids[--f->nr_tgids]);
	cgroups_put(f->cgroup);
}

static bool filter_has_tgid(const struct filter *f, const struct pid *tgid)
{
	u32 i;

	for (i = 0; i < f->nr_tgids; i++)
		if (f->tgids[i] == tgid)
			return true;
	return !f->nr_tgids;
}

bool filter_fits(const struct filter *f, struct task_struct *task, const struct pid *tgid)
{
	return filter_has_tgid(f, tgid) &&
	       (!f->cgroup || cgroups_within(task, f->cgroup));
}

/* Leaves out a process that has no id in @pids: 0 would mean the requester's own process. */
static int filter_put_tgids(struct sk_buff *skb, const struct filter *f,
			    struct pid_namespace *pids)
{
	int err = 0;
	u32 i, nr;

	for (i = 0; i < f->nr_tgids && !err; i++) {
		nr = pid_nr_ns(f->tgids[i], pids);
		if (nr)
			err = nla_put_u32(skb, TASKRT_FILTER_A_TGID, nr);
	}
	return err;
}

int filter_put(struct sk_buff *skb, const struct filter *f, struct pid_namespace *pids)
{
	struct nlattr *nest;
	int err = 0;

	if (!f->own && !f->nr_tgids && !f->cgroup)
		return 0;
	nest = nla_nest_start(skb, TASKRT_A_FILTER);
	if (!nest)
		return -EMSGSIZE;
	if (f->own)
		err = nla_put_flag(skb, TASKRT_FILTER_A_OWN);
	if (!err)
		err = filter_put_tgids(skb, f, pids);
	if (!err && f->cgroup)
		err = nla_put_u64_64bit(skb, TASKRT_FILTER_A_CGROUP, cgroups_id(f->cgroup),
					TASKRT_FILTER_A_PAD);
	nla_nest_end(skb, nest);
	return err;
}
