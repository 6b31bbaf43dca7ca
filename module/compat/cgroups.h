/* SPDX-License-Identifier: GPL-2.0-only */
/* The v2 hierarchy; where the kernel has no cgroups, nobody is in one. */
#ifndef TASKRT_CGROUPS_H
#define TASKRT_CGROUPS_H

#include <linux/types.h>

struct cgroup;
struct task_struct;

/* What the current task's cgroup namespace shows is this one and those below it; it keeps it. */
struct cgroup *cgroups_root(void);

/*
 * cgroups_find() - the one with this id, if the current task's cgroup namespace shows it
 * With a reference.  May sleep, and on some kernels take long: see compat_cgroup_get_from_id().
 * ERR_PTR: -ENOENT; -EINTR; -EOPNOTSUPP: this kernel has no cgroups.
 */
struct cgroup *cgroups_find(u64 id);
struct cgroup *cgroups_get(struct cgroup *cgroup);	/* that somebody keeps; NULL is none */
void cgroups_put(struct cgroup *cgroup);	/* NULL is none */
u64 cgroups_id(struct cgroup *cgroup);

/*
 * Of a task, also one that has exited: it keeps its cgroups until it is freed.  RCU read
 * lock held.
 */
bool cgroups_within(struct task_struct *task, struct cgroup *cgroup);
u64 cgroups_id_of(struct task_struct *task, struct cgroup *root);	/* 0: not below that */

#endif /* TASKRT_CGROUPS_H */
