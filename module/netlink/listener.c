// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/sock.h>
#include "accounting.h"
#include "compat/cgroups.h"
#include "netlink/listener.h"
#include "policy/coarse.h"

struct listener *listener_alloc(const struct sk_buff *request)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->net = sock_net(NETLINK_CB(request).sk);
	l->port = NETLINK_CB(request).portid;
	l->view.pids = get_pid_ns(task_active_pid_ns(current));
	l->view.users = get_user_ns(current_user_ns());
	l->view.cgroups = cgroups_get(cgroups_root());
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
	/* No exit is looked at while the worker is here, and no request finds the listener. */
	struct registration *r = rcu_dereference_protected(l->registration, true);

	if (r)
		registration_free(r);
	put_pid_ns(l->view.pids);
	put_user_ns(l->view.users);
	cgroups_put(l->view.cgroups);
	batch_exit(&l->batch);
	/* Who closes another socket may still be looking at it in the table. */
	call_rcu(&l->rcu, listener_free_rcu);
}

void listener_match(struct listener *l, const struct exit *exit)
{
	const struct registration *r;

	l->wanted.entities = 0;
	/* A task that is not in the listener's pid namespace is not visible to it. */
	if (!stats_pid(&l->view, exit->thread->exit.tid))
		return;
	rcu_read_lock();
	r = rcu_dereference(l->registration);
	if (r) {
		l->wanted.entities = registration_wants(r, exit);
		l->wanted.version = r->version;
		l->wanted.groups = r->groups;
		l->wanted.exact = r->rights.exact;
	}
	rcu_read_unlock();
}

void listener_deliver(struct listener *l, const struct exit *exit)
{
	const struct wanted *wanted = &l->wanted;
	struct stats_view view = l->view;

	if (!wanted->entities)
		return;
	if (exit->dropped) {
		batch_skip(&l->batch, hweight32(wanted->entities));
		return;
	}
	view.version = wanted->version;
	view.groups = wanted->groups;
	view.valid = accounting_valid();
	view.measured = accounting_measured();
	view.hidden = wanted->exact ? 0 : VALUES_OF_CYCLES;
	view.coarse_ns = wanted->exact ? 0 : coarse_parameter();
	batch_add(&l->batch, exit, wanted->entities, &view);
}
