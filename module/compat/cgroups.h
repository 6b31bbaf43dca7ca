/* SPDX-License-Identifier: GPL-2.0-only */
/* The cgroup v2 hierarchy.  On a kernel without cgroups, no task is in any. */
#ifndef TASKRT_CGROUPS_H
#define TASKRT_CGROUPS_H

#include <linux/types.h>

struct cgroup;
struct task_struct;

/*
 * The root of the current task's cgroup namespace, which shows this cgroup and its descendants.
 * The namespace holds a reference to this cgroup.
 */
struct cgroup *cgroups_root(void);

/* Like compat_cgroup_get_from_id(); ERR_PTR(-EOPNOTSUPP) on a kernel without cgroups. */
struct cgroup *cgroups_find(u64 id);

/* Takes one more reference.  Return: @cgroup, or NULL if it is NULL or being removed. */
struct cgroup *cgroups_get(struct cgroup *cgroup);
void cgroups_put(struct cgroup *cgroup);	/* NULL is allowed */
u64 cgroups_id(struct cgroup *cgroup);

/*
 * For the cgroup of a task; the task keeps its cgroup until it is freed.  cgroups_id_of() returns 0
 * if the cgroup is neither @root nor below it.  Context: RCU read lock held.
 */
bool cgroups_within(struct task_struct *task, struct cgroup *cgroup);
u64 cgroups_id_of(struct task_struct *task, struct cgroup *root);

#endif /* TASKRT_CGROUPS_H */
