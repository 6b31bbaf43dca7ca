// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "compat/cgroups.h"

#ifdef CONFIG_CGROUPS
/* Looked at under one RCU read lock. */
#define STRIDE	256

struct cgroup *cgroups_root(void)
{
	return current->nsproxy->cgroup_ns->root_cset->dfl_cgrp;
}

/*
 * Goes on from this one, which is let go of; NULL: from the root.  Return: the one that is
 * looked for, or one to go on from, with a reference; NULL: that was all.
 */
static struct cgroup *look_on(struct cgroup *root, struct cgroup *from, u64 id)
{
	struct cgroup_subsys_state *at = from ? &from->self : NULL;
	int n = 0;

	rcu_read_lock();
	while ((at = css_next_descendant_pre(at, &root->self))) {
		const bool enough = ++n >= STRIDE || cgroup_id(at->cgroup) == id;

		/* Nobody can hold on to one that is on its way out, and go on from there. */
		if (enough && cgroup_tryget(at->cgroup))
			break;
	}
	rcu_read_unlock();
	cgroups_put(from);
	return at ? at->cgroup : NULL;
}

/*
 * As cgroup_get_from_id(), which before 6.0 is not there, or not for modules.  There may be
 * many, and anybody may ask: others get the CPU meanwhile.
 */
struct cgroup *cgroups_find(u64 id)
{
	struct cgroup *root = cgroups_root(), *at = NULL;

	while ((at = look_on(root, at, id)) && cgroup_id(at) != id) {
		if (fatal_signal_pending(current)) {
			cgroups_put(at);
			return ERR_PTR(-EINTR);
		}
		cond_resched();
	}
	return at ?: ERR_PTR(-ENOENT);
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
