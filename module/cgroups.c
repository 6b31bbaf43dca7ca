// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include "cgroups.h"

#ifdef CONFIG_CGROUPS
/* As cgroup_get_from_id(), which before 6.0 is not there, or not for modules. */
struct cgroup *cgroups_find(u64 id)
{
	struct cgroup *root = current->nsproxy->cgroup_ns->root_cset->dfl_cgrp;
	struct cgroup *found = ERR_PTR(-ENOENT);
	struct cgroup_subsys_state *css;

	rcu_read_lock();
	css_for_each_descendant_pre(css, &root->self) {
		if (cgroup_id(css->cgroup) != id)
			continue;
		if (cgroup_tryget(css->cgroup))
			found = css->cgroup;
		break;
	}
	rcu_read_unlock();
	return found;
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

u64 cgroups_id_of(struct task_struct *task)
{
	return cgroup_id(task_dfl_cgroup(task));
}
#else
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

u64 cgroups_id_of(struct task_struct *task)
{
	return 0;
}
#endif
