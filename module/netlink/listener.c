// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/taskrt.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <net/sock.h>
#include "compat/cgroups.h"
#include "hook/accounting.h"
#include "netlink/coarse.h"
#include "netlink/listener.h"
#include "task/worker.h"

static unsigned int listeners_per_user = 16;
module_param(listeners_per_user, uint, 0644);
MODULE_PARM_DESC(listeners_per_user, "Maximum number of exit listeners per user (default 16)");

static unsigned int listeners_max = 256;
module_param(listeners_max, uint, 0644);
MODULE_PARM_DESC(listeners_max, "Maximum number of exit listeners, of all users (default 256)");

/*
 * Serializes changes of the lists of listeners and of registrations.  The worker, which
 * delivers the exits, never takes this lock.  It walks the lists with the RCU
 * primitives, and it frees the listeners whose sockets were closed.
 */
static DEFINE_MUTEX(lock);
static LIST_HEAD(listeners);
static u32 nr_listeners;

static LLIST_HEAD(closed);
static void listener_free_closed(struct work_struct *work);
static DECLARE_DELAYED_WORK(free_work, listener_free_closed);

static struct listener *listener_find(const struct sock *socket)
{
	struct listener *l;

	list_for_each_entry(l, &listeners, node)
		if (l->batch.socket == socket)
			return l;
	return NULL;
}

static struct listener *listener_alloc(const struct sk_buff *request, kuid_t user, u64 format)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->user = user;
	INIT_LIST_HEAD(&l->registrations);
	l->view.pids = get_pid_ns(task_active_pid_ns(current));
	l->view.users = get_user_ns(current_user_ns());
	l->view.cgroups = cgroups_get(cgroups_root());
	l->format = format;
	batch_init(&l->batch, NETLINK_CB(request).sk);
	return l;
}

static void listener_free(struct listener *l)
{
	struct registration *r, *next;

	list_for_each_entry_safe(r, next, &l->registrations, node)
		registration_free(r);
	put_pid_ns(l->view.pids);
	put_user_ns(l->view.users);
	cgroups_put(l->view.cgroups);
	batch_exit(&l->batch);
	kfree(l);
}

/* Exits are noted only while there is a registration. */
static void listener_want_exits(void)
{
	struct listener *l;
	bool wanted = false;

	list_for_each_entry(l, &listeners, node)
		wanted |= !list_empty(&l->registrations);
	exit_want(wanted);
}

static void listener_remove(struct listener *l)
{
	list_del_rcu(&l->node);
	WRITE_ONCE(nr_listeners, nr_listeners - 1);
	listener_want_exits();
	if (llist_add(&l->closed, &closed))
		worker_queue(&free_work, 0);
}

/* Runs in the worker, which is the only other user of a listener that was removed. */
static void listener_free_closed(struct work_struct *work)
{
	struct listener *l, *next;

	llist_for_each_entry_safe(l, next, llist_del_all(&closed), closed)
		listener_free(l);
}

/* Return: 0, or -EUSERS if there are too many listeners. */
static int listener_check_limits(kuid_t user, struct netlink_ext_ack *extack)
{
	unsigned int own = 0;
	struct listener *l;

	list_for_each_entry(l, &listeners, node)
		own += uid_eq(l->user, user);
	if (own >= READ_ONCE(listeners_per_user)) {
		NL_SET_ERR_MSG(extack,
			       "the user has too many listeners (parameter listeners_per_user)");
		return -EUSERS;
	}
	if (nr_listeners >= READ_ONCE(listeners_max)) {
		NL_SET_ERR_MSG(extack, "there are too many listeners (parameter listeners_max)");
		return -EUSERS;
	}
	return 0;
}

/* Does the caller have the right to this registration? */
static int listener_check_right(const struct registration *r, struct netlink_ext_ack *extack)
{
	if (r->filter.own || r->rights.over)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "not permitted: to be told of everybody needs CAP_NET_ADMIN; OWN limits it to what your user may read");
	return -EPERM;
}

/* Have it noted of each exit whether its task was dumpable, if @r depends on that. */
static int listener_note_dumpable(const struct registration *r, struct netlink_ext_ack *extack)
{
	int err = r->filter.own ? accounting_note_dumpable() : 0;

	if (err)
		NL_SET_ERR_MSG(extack,
			       "OWN: not supported here: see the hook exit_signals in INFO");
	return err ? -EOPNOTSUPP : 0;
}

static int listener_join(struct listener *l, struct registration *r, struct netlink_ext_ack *extack)
{
	struct registration *there;
	unsigned int n = 0;

	list_for_each_entry(there, &l->registrations, node) {
		if (registration_same_conditions(there, r)) {
			cpumask_or(there->cpus, there->cpus, r->cpus);
			registration_free(r);
			return 0;
		}
		n++;
	}
	if (n >= LISTENER_REGISTRATIONS_MAX) {
		NL_SET_ERR_MSG(extack, "the socket has too many registrations");
		return -EUSERS;
	}
	list_add_tail_rcu(&r->node, &l->registrations);
	return 0;
}

/* The socket's listener, or a new one.  ERR_PTR: -EUSERS with a text, -ENOMEM. */
static struct listener *listener_find_or_add(const struct sk_buff *request, kuid_t user, u64 format,
					     struct netlink_ext_ack *extack)
{
	struct listener *l = listener_find(NETLINK_CB(request).sk);
	int err;

	if (l)
		return l;
	err = listener_check_limits(user, extack);
	if (err)
		return ERR_PTR(err);
	l = listener_alloc(request, user, format);
	if (!l)
		return ERR_PTR(-ENOMEM);
	/* The listener is initialized: the worker sees it from now on. */
	list_add_tail_rcu(&l->node, &listeners);
	WRITE_ONCE(nr_listeners, nr_listeners + 1);
	return l;
}

int listener_check(const struct sk_buff *request, const struct registration *r,
		   struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&lock);
	err = listener_check_right(r, extack);
	if (!err && !listener_find(NETLINK_CB(request).sk))
		err = listener_check_limits(r->rights.who.opener->uid, extack);
	mutex_unlock(&lock);
	return err;
}

int listener_register(const struct sk_buff *request, struct registration *r,
		      const struct stats_view *view, struct netlink_ext_ack *extack)
{
	const u64 format = (u64)view->groups << 32 | view->version;
	struct listener *l;
	int err;

	mutex_lock(&lock);
	err = listener_check_right(r, extack) ?: listener_note_dumpable(r, extack);
	if (err)
		goto unlock;
	l = listener_find_or_add(request, r->rights.who.opener->uid, format, extack);
	err = IS_ERR(l) ? PTR_ERR(l) : listener_join(l, r, extack);
	if (err)
		goto unlock;
	WRITE_ONCE(l->format, format);
	listener_want_exits();
unlock:
	mutex_unlock(&lock);
	return err;
}

void listener_deregister(const struct sk_buff *request, const struct cpumask *cpus)
{
	struct registration *r, *next;
	struct listener *l;

	mutex_lock(&lock);
	l = listener_find(NETLINK_CB(request).sk);
	if (l) {
		list_for_each_entry_safe(r, next, &l->registrations, node) {
			cpumask_andnot(r->cpus, r->cpus, cpus);
			if (!cpumask_empty(r->cpus))
				continue;
			list_del_rcu(&r->node);
			registration_free_later(r);
		}
		listener_want_exits();
	}
	mutex_unlock(&lock);
}

int listener_show(const struct sk_buff *request,
		  int (*show)(struct sk_buff *reply, const struct listener *l),
		  struct sk_buff *reply)
{
	int err;

	mutex_lock(&lock);
	err = show(reply, listener_find(NETLINK_CB(request).sk));
	mutex_unlock(&lock);
	return err;
}

void listener_counts(struct listener_counts *counts)
{
	counts->listeners = READ_ONCE(nr_listeners);
	batch_counts(&counts->batches);
}

/* Return: the records of this exit that are wanted.  @exact: with exact times. */
static u32 listener_wanted(const struct listener *l, const struct exit *exit, bool *exact)
{
	const struct registration *r;
	u32 entities = 0, some;

	*exact = false;
	/* A task that is not in the listener's pid namespace is not visible to it. */
	if (!pid_nr_ns(exit->thread->exit.tid, l->view.pids))
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

static void listener_deliver_one(struct listener *l, const struct exit *exit)
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
	view.coarse_ns = exact ? 0 : coarse_parameter();
	batch_add(&l->batch, exit, entities, &view);
}

static void listener_deliver(const struct exit *exit)
{
	struct listener *l;

	list_for_each_entry_rcu(l, &listeners, node, true)
		listener_deliver_one(l, exit);
}

static bool listener_send(void)
{
	struct listener *l;
	bool more = false;

	list_for_each_entry_rcu(l, &listeners, node, true)
		more |= batch_send(&l->batch);
	return more;
}

const struct exit_sink listener_sink = {
	.tell = listener_deliver,
	.send = listener_send,
};

/* A socket was closed.  Its port id may be in use again, so the sockets are tested. */
static int listener_on_release(struct notifier_block *notifier, unsigned long event, void *data)
{
	const struct netlink_notify *closed = data;
	struct listener *l, *next;

	if (event != NETLINK_URELEASE || closed->protocol != NETLINK_GENERIC ||
	    !READ_ONCE(nr_listeners))
		return NOTIFY_DONE;
	mutex_lock(&lock);
	list_for_each_entry_safe(l, next, &listeners, node)
		if (sock_flag(l->batch.socket, SOCK_DEAD))
			listener_remove(l);
	mutex_unlock(&lock);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = listener_on_release,
};

int listener_init(void)
{
	return netlink_register_notifier(&release_notifier);
}

void listener_exit(void)
{
	struct listener *l, *next;

	netlink_unregister_notifier(&release_notifier);
	mutex_lock(&lock);
	list_for_each_entry_safe(l, next, &listeners, node) {
		/* Wake a task that waits for messages, with this error. */
		WRITE_ONCE(l->batch.socket->sk_err, ENODEV);
		l->batch.socket->sk_error_report(l->batch.socket);
		listener_remove(l);
	}
	mutex_unlock(&lock);
	worker_finish(&free_work);
}
