/* SPDX-License-Identifier: GPL-2.0-only */
/* The v2 hierarchy; where the kernel has no cgroups, nobody is in one. */
#ifndef TASKRT_CGROUPS_H
#define TASKRT_CGROUPS_H

#include <linux/types.h>

struct cgroup;
struct task_struct;

/*
 * cgroups_find() - the one with this id, if the current task's cgroup namespace shows it
 * With a reference.  ERR_PTR: -ENOENT; -EOPNOTSUPP: this kernel has no cgroups.
 */
struct cgroup *cgroups_find(u64 id);
void cgroups_put(struct cgroup *cgroup);	/* NULL is none */
u64 cgroups_id(struct cgroup *cgroup);

/*
 * Of a task, also one that has exited: it keeps its cgroups until it is freed.  RCU read
 * lock held.
 */
bool cgroups_within(struct task_struct *task, struct cgroup *cgroup);
u64 cgroups_id_of(struct task_struct *task);

#endif /* TASKRT_CGROUPS_H */
