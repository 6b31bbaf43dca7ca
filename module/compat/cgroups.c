// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include "compat/cgroups.h"
#include "compat/compat.h"

#ifdef CONFIG_CGROUPS
struct cgroup *cgroups_root(void)
{
	return current->nsproxy->cgroup_ns->root_cset->dfl_cgrp;
}

struct cgroup *cgroups_find(u64 id)
{
	return compat_cgroup_get_from_id(id);
}

struct cgroup *cgroups_get(struct cgroup *cgroup)
{
	return cgroup && cgroup_tryget(cgroup) ? cgroup : NULL;
}

void cgroups_put(struct cgroup *cgroup)
{
	if (cgroup)
		cgroup_put(cgroup);
}

u64 cgroups_id(struct cgroup *cgroup)
{
	return cgroup_id(cgroup);
}

bool cgroups_within(struct task_struct *task, struct cgroup *cgroup)
{
	return cgroup_is_descendant(task_dfl_cgroup(task), cgroup);
}

u64 cgroups_id_of(struct task_struct *task, struct cgroup *root)
{
	struct cgroup *cgroup = task_dfl_cgroup(task);

	return root && cgroup_is_descendant(cgroup, root) ? cgroup_id(cgroup) : 0;
}
#else
struct cgroup *cgroups_root(void)
{
	return NULL;
}

struct cgroup *cgroups_get(struct cgroup *cgroup)
{
	return NULL;
}

struct cgroup *cgroups_find(u64 id)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void cgroups_put(struct cgroup *cgroup)
{
}

u64 cgroups_id(struct cgroup *cgroup)
{
	return 0;
}

bool cgroups_within(struct task_struct *task, struct cgroup *cgroup)
{
	return false;
}

u64 cgroups_id_of(struct task_struct *task, struct cgroup *root)
{
	return 0;
}
#endif
