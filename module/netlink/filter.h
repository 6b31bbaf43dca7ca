/* SPDX-License-Identifier: GPL-2.0-only */
/* The nest FILTER: conditions that must all be met.  Dumps and registrations use it. */
#ifndef TASKRT_FILTER_H
#define TASKRT_FILTER_H

#include <linux/bits.h>
#include <linux/taskrt.h>
#include <linux/types.h>
#include <net/netlink.h>

struct cgroup;
struct netlink_ext_ack;
struct pid;
struct pid_namespace;
struct task_struct;

struct filter {
	bool own;			/* only tasks that the requester's user may read */
	u32 nr_tgids;			/* 0: tasks of any process */
	struct pid *tgids[TASKRT_FILTER_TGIDS_MAX];	/* only tasks of these processes */
	struct cgroup *cgroup;		/* only tasks in this cgroup or below, or NULL */
};

/* The conditions that are served on this kernel. */
#define FILTERS_SERVED	(BIT(TASKRT_FILTER_A_OWN) | BIT(TASKRT_FILTER_A_TGID) |	\
			 (IS_ENABLED(CONFIG_CGROUPS) ? BIT(TASKRT_FILTER_A_CGROUP) : 0))

extern const struct nla_policy filter_policy[TASKRT_FILTER_A_MAX + 1];

/*
 * filter_parse_tgid() - add the process of a TGID to the filter
 * @attr: NULL: none
 *
 * Return: 0; or with a text: -E2BIG: too many; -ESRCH: no such process.
 */
int filter_parse_tgid(struct filter *f, const struct nlattr *attr,
		      struct netlink_ext_ack *extack);

/*
 * filter_parse() - parse all conditions of the nest except CGROUP
 * @f: all zero; must also be freed after an error
 * @nest: NULL: no condition
 *
 * Return: 0; or with a text: -EINVAL; -E2BIG: too many processes; -ESRCH: no such process.
 */
int filter_parse(struct filter *f, const struct nlattr *nest, struct netlink_ext_ack *extack);

/*
 * filter_find_cgroup() - look up the CGROUP of the nest
 *
 * Call this last, when everything else in the request was accepted.
 * Context: may sleep, and may take long; called without a lock of the module.
 * Return: 0; or with a text: -EINVAL; -ENOENT: no such cgroup; -EOPNOTSUPP: this kernel has no
 * cgroups; or without a text: -EINTR: the current task is being killed.
 */
int filter_find_cgroup(struct filter *f, const struct nlattr *nest,
		       struct netlink_ext_ack *extack);
void filter_free(struct filter *f);

/*
 * True if the task, which belongs to the process @tgid, meets all conditions but own.
 * Context: RCU read lock held.
 */
bool filter_fits(const struct filter *f, struct task_struct *task, const struct pid *tgid);

/*
 * Adds the nest to a message, if there is a condition.  Return: 0 or -EMSGSIZE.
 * @pids: the pid namespace of the ids
 */
int filter_put(struct sk_buff *skb, const struct filter *f, struct pid_namespace *pids);

#endif /* TASKRT_FILTER_H */
