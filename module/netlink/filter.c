// SPDX-License-Identifier: GPL-2.0-only
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include "compat/cgroups.h"
#include "netlink/filter.h"

/* An unknown condition is refused: to ignore it would report more than was asked for. */
const struct nla_policy filter_policy[TASKRT_FILTER_A_MAX + 1] = {
	[TASKRT_FILTER_A_PAD]	 = { .type = NLA_FLAG },
	[TASKRT_FILTER_A_OWN]	 = { .type = NLA_FLAG },
	[TASKRT_FILTER_A_TGID]	 = { .type = NLA_U32 },
	[TASKRT_FILTER_A_CGROUP] = { .type = NLA_U64 },
};

int filter_parse_tgid(struct filter *f, const struct nlattr *attr,
		      struct netlink_ext_ack *extack)
{
	u32 nr;

	if (!attr)
		return 0;
	if (f->tgid) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: only one, in FILTER or beside it");
		return -EINVAL;
	}
	nr = nla_get_u32(attr);
	f->tgid = nr ? find_get_pid(nr) : get_pid(task_tgid(current));
	if (f->tgid && pid_has_task(f->tgid, PIDTYPE_TGID))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "TGID: no such process");
	return -ESRCH;
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
	return filter_parse_tgid(f, attrs[TASKRT_FILTER_A_TGID], extack);
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
	put_pid(f->tgid);
	cgroups_put(f->cgroup);
}

bool filter_same(const struct filter *a, const struct filter *b)
{
	return a->own == b->own && a->tgid == b->tgid && a->cgroup == b->cgroup;
}

bool filter_fits(const struct filter *f, struct task_struct *task, const struct pid *tgid)
{
	return (!f->tgid || f->tgid == tgid) &&
	       (!f->cgroup || cgroups_within(task, f->cgroup));
}

int filter_put(struct sk_buff *skb, const struct filter *f, struct pid_namespace *pids)
{
	const u32 tgid = pid_nr_ns(f->tgid, pids);
	struct nlattr *nest;
	int err = 0;

	if (!f->own && !f->tgid && !f->cgroup)
		return 0;
	nest = nla_nest_start(skb, TASKRT_A_FILTER);
	if (!nest)
		return -EMSGSIZE;
	if (f->own)
		err = nla_put_flag(skb, TASKRT_FILTER_A_OWN);
	/* TGID 0 would mean the requester's own process. */
	if (!err && tgid)
		err = nla_put_u32(skb, TASKRT_FILTER_A_TGID, tgid);
	if (!err && f->cgroup)
		err = nla_put_u64_64bit(skb, TASKRT_FILTER_A_CGROUP, cgroups_id(f->cgroup),
					TASKRT_FILTER_A_PAD);
	nla_nest_end(skb, nest);
	return err;
}
