// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/sock.h>
#include "compat/cgroups.h"
#include "hook/accounting.h"
#include "netlink/coarse.h"
#include "netlink/listener.h"

struct listener *listener_alloc(const struct sk_buff *request, u64 format)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->net = sock_net(NETLINK_CB(request).sk);
	l->port = NETLINK_CB(request).portid;
	INIT_LIST_HEAD(&l->registrations);
	l->view.pids = get_pid_ns(task_active_pid_ns(current));
	l->view.users = get_user_ns(current_user_ns());
	l->view.cgroups = cgroups_get(cgroups_root());
	l->format = format;
	batch_init(&l->batch, NETLINK_CB(request).sk);
	return l;
}

/* Not kfree_rcu(): that was seen to keep interrupts off for 111 us. */
static void listener_free_rcu(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct listener, rcu));
}

void listener_free(struct listener *l)
{
	struct registration *r, *next;

	list_for_each_entry_safe(r, next, &l->registrations, node)
		registration_free(r);
	put_pid_ns(l->view.pids);
	put_user_ns(l->view.users);
	cgroups_put(l->view.cgroups);
	batch_exit(&l->batch);
	/* Who closes another socket may still be looking at it in the table. */
	call_rcu(&l->rcu, listener_free_rcu);
}

int listener_join(struct listener *l, struct registration *r)
{
	struct registration *there;

	list_for_each_entry(there, &l->registrations, node) {
		if (registration_same_conditions(there, r)) {
			cpumask_or(there->cpus, there->cpus, r->cpus);
			return 0;
		}
	}
	if (l->nr_registrations >= LISTENER_REGISTRATIONS_MAX)
		return -EUSERS;
	list_add_tail_rcu(&r->node, &l->registrations);
	l->nr_registrations++;
	return 1;
}

void listener_remove_cpus(struct listener *l, const struct cpumask *cpus)
{
	struct registration *r, *next;

	list_for_each_entry_safe(r, next, &l->registrations, node) {
		/* LIST may be reading it: one without CPUs is not shown. */
		if (!cpumask_subset(r->cpus, cpus)) {
			cpumask_andnot(r->cpus, r->cpus, cpus);
			continue;
		}
		list_del_rcu(&r->node);
		registration_free_later(r);
		l->nr_registrations--;
	}
}

/* Return: the records of this exit that are wanted.  @exact: with exact times. */
static u32 listener_wanted(const struct listener *l, const struct exit *exit, bool *exact)
{
	const struct registration *r;
	u32 entities = 0, some;

	*exact = false;
	/* A task that is not in the listener's pid namespace is not visible to it. */
	if (!stats_pid(&l->view, exit->thread->exit.tid))
		return 0;
	rcu_read_lock();
	list_for_each_entry_rcu(r, &l->registrations, node) {
		some = registration_wants(r, exit);
		*exact |= some && r->rights.exact;
		entities |= some;
	}
	rcu_read_unlock();
	return entities;
}

void listener_lose(struct listener *l, const struct exit *exit)
{
	bool exact;
	u32 entities = listener_wanted(l, exit, &exact);

	if (entities)
		batch_skip(&l->batch, hweight32(entities));
}

void listener_deliver(struct listener *l, struct exit *exit)
{
	struct stats_view view = l->view;
	bool exact;
	u32 entities = listener_wanted(l, exit, &exact);
	u64 format;

	if (!entities)
		return;
	/* A new registration may change the format at any time: read it once per exit. */
	format = READ_ONCE(l->format);
	view.version = format;
	view.groups = format >> 32;
	view.valid = accounting_valid();
	view.measured = accounting_measured();
	view.hidden = exact ? 0 : VALUES_OF_CYCLES;
	view.coarse_ns = exact ? 0 : coarse_parameter();
	if (entities & TASKRT_ENTITIES_THREADS)
		exit_sample(exit, view.groups);
	if (entities & TASKRT_ENTITIES_PROCESSES)
		exit_sample_process(exit, view.groups);
	batch_add(&l->batch, exit, entities, &view);
}
