/* SPDX-License-Identifier: GPL-2.0-only */
/* The nest FILTER: conditions, all of which hold, the same for a dump and for exits. */
#ifndef TASKRT_FILTER_H
#define TASKRT_FILTER_H

#include <linux/taskrt.h>
#include <linux/types.h>
#include <net/netlink.h>

struct cgroup;
struct netlink_ext_ack;
struct pid;
struct pid_namespace;
struct task_struct;

struct filter {
	bool own;			/* only what the asker's user may read */
	struct pid *tgid;		/* only of this process, or NULL */
	struct cgroup *cgroup;		/* only in this or below it, or NULL */
};

extern const struct nla_policy filter_policy[TASKRT_FILTER_A_MAX + 1];

/* As TGID of the nest, from elsewhere, but not from both; before filter_parse(). */
int filter_parse_tgid(struct filter *f, const struct nlattr *attr,
		      struct netlink_ext_ack *extack);

/*
 * filter_parse() - what the current task asks for, but for CGROUP; no nest: everything
 * @f: is to be freed also if that fails; all zero before
 * Return: 0; or with a text: -EINVAL; -ESRCH: no such process.
 */
int filter_parse(struct filter *f, const struct nlattr *nest, struct netlink_ext_ack *extack);

/*
 * filter_find_cgroup() - the nest's CGROUP
 * May sleep, and take long: when all else is in order, and while nothing is held.
 * Return: 0; or with a text: -EINVAL; -ENOENT: no such cgroup; -EOPNOTSUPP.  -EINTR without one.
 */
int filter_find_cgroup(struct filter *f, const struct nlattr *nest,
		       struct netlink_ext_ack *extack);
void filter_free(struct filter *f);

bool filter_same(const struct filter *a, const struct filter *b);

/*
 * filter_fits() - is the task, which is of this process, to be told of?
 * Whether it is the asker's own is not asked here.  RCU read lock held.
 */
bool filter_fits(const struct filter *f, struct task_struct *task, const struct pid *tgid);

/*
 * The nest, as it is asked for from that pid namespace; no condition: none.
 * Return: 0 or -EMSGSIZE.
 */
int filter_put(struct sk_buff *skb, const struct filter *f, struct pid_namespace *pids);

#endif /* TASKRT_FILTER_H */
