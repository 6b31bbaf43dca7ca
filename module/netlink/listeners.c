// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <net/netlink.h>
#include <net/sock.h>
#include "accounting.h"
#include "netlink/listeners.h"
#include "policy/quota.h"
#include "task/worker.h"

static unsigned int listeners_per_user = 16;
module_param(listeners_per_user, uint, 0644);
MODULE_PARM_DESC(listeners_per_user, "Maximum number of exit listeners per user (default 16)");

static unsigned int listeners_max = 256;
module_param(listeners_max, uint, 0644);
MODULE_PARM_DESC(listeners_max, "Maximum number of exit listeners, of all users (default 256)");

#define TABLE_BITS	6

/*
 * Serializes changes of the listeners, of their registrations, and of the table.  Readers use RCU.
 * The worker, which alone frees listeners, needs RCU only to read a registration.
 */
static DEFINE_RAW_SPINLOCK(listeners_lock);
static LIST_HEAD(listeners);
static struct hlist_head table[1 << TABLE_BITS];	/* by port; also read under RCU */
static u32 nr_listeners;
static u32 nr_registered;		/* listeners with a registration */

/* Delivery to a full socket is tried again after RETRY_MS, and later less often. */
#define RETRY_MS	10
#define RETRY_MAX_MS	80

/* At most this many exits are delivered before the worker sends the batches and does other jobs. */
#define AT_ONCE		1024

static void listeners_work(void);
DEFINE_WORKER_JOB(listeners_job, listeners_work);
static DEFINE_WORKER_JOB(retry_job, listeners_work);
static unsigned int retry_ms = RETRY_MS;

static LLIST_HEAD(closed);
static void listeners_free_closed(void);
static DEFINE_WORKER_JOB(free_job, listeners_free_closed);

static struct hlist_head *listeners_table_of(u32 port)
{
	return &table[hash_32(port, TABLE_BITS)];
}

/* The listener of the request's socket, which stays open while the request is served. */
static struct listener *listeners_find(const struct sk_buff *request)
{
	struct listener *l;

	rcu_read_lock();
	hlist_for_each_entry_rcu(l, listeners_table_of(NETLINK_CB(request).portid), same_hash)
		if (l->batch.socket == NETLINK_CB(request).sk)
			break;
	rcu_read_unlock();
	return l;
}

static struct registration *listeners_registration(const struct listener *l)
{
	return rcu_dereference_protected(l->registration, lockdep_is_held(&listeners_lock));
}

/* Exits are noted only while there is a registration. */
static void listeners_count_registered(int more)
{
	lockdep_assert_held(&listeners_lock);
	nr_registered += more;
	exit_want(nr_registered);
}

/* The caller hands the listener to the worker after this. */
static void listeners_remove(struct listener *l)
{
	lockdep_assert_held(&listeners_lock);
	listeners_count_registered(listeners_registration(l) ? -1 : 0);
	list_del_rcu(&l->node);
	hlist_del_rcu(&l->same_hash);
	WRITE_ONCE(nr_listeners, nr_listeners - 1);
}

static void listeners_leave(struct listener *l)
{
	quota_leave(l->quota, QUOTA_LISTENERS);
	if (llist_add(&l->closed, &closed))
		worker_queue(&free_job, 0);
}

/* Runs in the worker, so no exit is being delivered to these listeners. */
static void listeners_free_closed(void)
{
	struct listener *l, *next;

	llist_for_each_entry_safe(l, next, llist_del_all(&closed), closed) {
		struct quota *quota = l->quota;

		listener_free(l);
		quota_left(quota, QUOTA_LISTENERS);
	}
}

/* Return: the quota, or an ERR_PTR: -EUSERS, -EAGAIN with a text; -ENOMEM. */
static struct quota *listeners_charge(const struct access_requester *who,
				      struct netlink_ext_ack *extack)
{
	const struct quota_limits limits = {
		.own = READ_ONCE(listeners_per_user),
		.all = READ_ONCE(listeners_max),
		.reserve = access_reserve(who),
	};
	struct quota *a = quota_charge(who->opener, QUOTA_LISTENERS, &limits);

	if (a == ERR_PTR(-EUSERS))
		NL_SET_ERR_MSG(extack,
			       "the user has too many listeners (parameter listeners_per_user)");
	if (a == ERR_PTR(-EAGAIN))
		NL_SET_ERR_MSG(extack,
			       "listeners that the user has closed are not freed yet: try again");
	if (a != ERR_PTR(-ENOSPC))
		return a;
	NL_SET_ERR_MSG(extack, "there are too many listeners (parameter listeners_max)");
	return ERR_PTR(-EUSERS);
}

/* Checks whether the requester has the right to this registration. */
static int listeners_check_right(const struct registration *r, struct netlink_ext_ack *extack)
{
	if (r->filter.own || r->rights.over)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "not permitted: exits of all users need CAP_NET_ADMIN; OWN limits them to tasks that your user may read");
	return -EPERM;
}

/* Makes a hook note whether exiting tasks are dumpable, if @r depends on that. */
static int listeners_note_dumpable(const struct registration *r, struct netlink_ext_ack *extack)
{
	int err = r->filter.own ? accounting_note_dumpable() : 0;

	if (!err || err == -ENOMEM)
		return err;
	NL_SET_ERR_MSG(extack, "OWN: not supported here: see the hook exit_signals in INFO");
	return -EOPNOTSUPP;
}

/* Return: a listener that is not in the list yet, or an ERR_PTR as listeners_charge(). */
static struct listener *listeners_make(const struct sk_buff *request,
				       const struct access_requester *who,
				       struct netlink_ext_ack *extack)
{
	struct quota *quota = listeners_charge(who, extack);
	struct listener *l;

	if (IS_ERR(quota))
		return ERR_CAST(quota);
	l = listener_alloc(request);
	if (l)
		l->quota = quota;
	else
		quota_release(quota, QUOTA_LISTENERS);
	return l ?: ERR_PTR(-ENOMEM);
}

/* Publishes an initialized listener to the worker. */
static void listeners_enter(struct listener *l)
{
	lockdep_assert_held(&listeners_lock);
	list_add_tail_rcu(&l->node, &listeners);
	hlist_add_head_rcu(&l->same_hash, listeners_table_of(l->port));
	WRITE_ONCE(nr_listeners, nr_listeners + 1);
}

/* Checks the limits for one more listener.  Return: 0; -EUSERS, -EAGAIN with a text; -ENOMEM. */
static int listeners_check_limits(const struct access_requester *who,
				  struct netlink_ext_ack *extack)
{
	struct quota *quota = listeners_charge(who, extack);

	if (IS_ERR(quota))
		return PTR_ERR(quota);
	quota_release(quota, QUOTA_LISTENERS);
	return 0;
}

/* Limits how many replaced registrations may wait for a grace period. */
static int listeners_check_replaced(const struct listener *l, struct netlink_ext_ack *extack)
{
	if (quota_may_replace(l->quota, QUOTA_LISTENERS, READ_ONCE(listeners_per_user)))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "registrations that the user has replaced are not freed yet: try again");
	return -EAGAIN;
}

int listeners_check(const struct sk_buff *request, const struct registration *r,
		    struct netlink_ext_ack *extack)
{
	const struct listener *l = listeners_find(request);
	int err = listeners_check_right(r, extack);

	if (err)
		return err;
	return l ? listeners_check_replaced(l, extack) :
		   listeners_check_limits(&r->rights.who, extack);
}

/* An exit sees all of the former registration or all of @r.  Return: the former one, or NULL. */
static struct registration *listeners_replace(struct listener *l, struct registration *r)
{
	struct registration *former = listeners_registration(l);

	if (former)
		cpumask_or(r->cpus, r->cpus, former->cpus);
	else
		listeners_count_registered(1);
	r->quota = l->quota;
	WRITE_ONCE(l->batch.own, r->filter.own);
	rcu_assign_pointer(l->registration, r);
	return former;
}

/*
 * Makes @r the registration of the socket's listener.  If the socket has no listener yet, *@fresh
 * becomes its listener, and is set to NULL.  Return: the former registration, or NULL.
 */
static struct registration *listeners_join(const struct sk_buff *request, struct registration *r,
					   struct listener **fresh)
{
	struct registration *former;
	struct listener *l;

	raw_spin_lock(&listeners_lock);
	l = listeners_find(request);
	if (!l) {
		l = *fresh;
		*fresh = NULL;
		listeners_enter(l);
	}
	former = listeners_replace(l, r);
	raw_spin_unlock(&listeners_lock);
	return former;
}

int listeners_register(const struct sk_buff *request, struct registration *r,
		       struct netlink_ext_ack *extack)
{
	int err = listeners_check_right(r, extack) ?: listeners_note_dumpable(r, extack);
	struct listener *fresh = NULL;

	if (err)
		return err;
	if (!listeners_find(request))
		fresh = listeners_make(request, &r->rights.who, extack);
	if (IS_ERR(fresh))
		return PTR_ERR(fresh);
	registration_free_later(listeners_join(request, r, &fresh));
	/* Another task has just registered for the same socket: drop the unused listener. */
	if (fresh)
		listeners_leave(fresh);
	return 0;
}

/* Return: the registration if its last CPU was removed, or NULL. */
static struct registration *listeners_remove_cpus(struct listener *l, const struct cpumask *cpus)
{
	struct registration *r = listeners_registration(l);

	if (!r)
		return NULL;
	if (!cpumask_subset(r->cpus, cpus)) {
		/* This changes the mask in place: an exit or LIST may be reading it. */
		cpumask_andnot(r->cpus, r->cpus, cpus);
		return NULL;
	}
	RCU_INIT_POINTER(l->registration, NULL);
	listeners_count_registered(-1);
	return r;
}

void listeners_deregister(const struct sk_buff *request, const struct cpumask *cpus)
{
	struct listener *l = listeners_find(request);
	struct registration *removed;

	if (!l)
		return;
	raw_spin_lock(&listeners_lock);
	removed = listeners_remove_cpus(l, cpus);
	raw_spin_unlock(&listeners_lock);
	registration_free_later(removed);
}

int listeners_show(const struct sk_buff *request,
		   int (*show)(const struct listener *l, void *context), void *context)
{
	int err;

	rcu_read_lock();
	err = show(listeners_find(request), context);
	rcu_read_unlock();
	return err;
}

void listeners_counts(struct listeners_counts *counts)
{
	counts->listeners = READ_ONCE(nr_listeners);
	batch_counts(&counts->batches);
}

static void listeners_deliver(struct exit *exit)
{
	u32 entities = 0, groups = 0;
	struct listener *l;

	list_for_each_entry_rcu(l, &listeners, node, worker_is_current()) {
		listener_match(l, exit);
		entities |= l->wanted.entities;
		groups |= l->wanted.entities ? l->wanted.groups : 0;
	}
	if (!entities)
		return;
	accounting_follow();
	if (!exit->dropped)
		exit_sample(exit, entities, groups);
	list_for_each_entry_rcu(l, &listeners, node, worker_is_current())
		listener_deliver(l, exit);
}

/* Return: false if no exit is left. */
static bool listeners_deliver_some(void)
{
	struct exit *exit;
	unsigned int n;

	for (n = 0; n < AT_ONCE && (exit = exit_next()); n++) {
		listeners_deliver(exit);
		exit_done(exit);
		cond_resched();
	}
	return n == AT_ONCE;
}

static bool listeners_send(void)
{
	struct listener *l;
	bool more = false;

	list_for_each_entry_rcu(l, &listeners, node, worker_is_current())
		more |= batch_send(&l->batch);
	return more;
}

static void listeners_work(void)
{
	if (listeners_deliver_some())
		worker_hurry(&listeners_job);
	if (!listeners_send()) {
		retry_ms = RETRY_MS;
		return;
	}
	worker_queue(&retry_job, msecs_to_jiffies(retry_ms));
	retry_ms = min_t(unsigned int, 2 * retry_ms, RETRY_MAX_MS);
}

static bool listeners_any_from(const struct net *net, u32 port)
{
	const struct listener *l;
	bool any = false;

	rcu_read_lock();
	hlist_for_each_entry_rcu(l, listeners_table_of(port), same_hash)
		any |= l->port == port && l->net == net;
	rcu_read_unlock();
	return any;
}

/* Removes a listener whose socket was closed.  Return: the listener, or NULL. */
static struct listener *listeners_remove_closed(u32 port)
{
	struct listener *l;

	raw_spin_lock(&listeners_lock);
	hlist_for_each_entry(l, listeners_table_of(port), same_hash)
		if (sock_flag(l->batch.socket, SOCK_DEAD))
			break;
	if (l)
		listeners_remove(l);
	raw_spin_unlock(&listeners_lock);
	return l;
}

/* The port id of a closed socket may be in use again, so this tests the sockets. */
static int listeners_on_release(struct notifier_block *notifier, unsigned long event, void *data)
{
	const struct netlink_notify *closed = data;
	struct listener *l;

	if (event != NETLINK_URELEASE || closed->protocol != NETLINK_GENERIC ||
	    !listeners_any_from(closed->net, closed->portid))
		return NOTIFY_DONE;
	while ((l = listeners_remove_closed(closed->portid)))
		listeners_leave(l);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = listeners_on_release,
};

int listeners_init(void)
{
	return netlink_register_notifier(&release_notifier);
}

static struct listener *listeners_remove_first(void)
{
	struct listener *l;

	raw_spin_lock(&listeners_lock);
	l = list_first_entry_or_null(&listeners, struct listener, node);
	if (l)
		listeners_remove(l);
	raw_spin_unlock(&listeners_lock);
	return l;
}

void listeners_exit(void)
{
	struct listener *l;

	netlink_unregister_notifier(&release_notifier);
	while ((l = listeners_remove_first())) {
		/* Wake a task that waits for messages, with this error. */
		WRITE_ONCE(l->batch.socket->sk_err, ENODEV);
		l->batch.socket->sk_error_report(l->batch.socket);
		listeners_leave(l);
	}
	worker_finish(&free_job);
	worker_cancel(&listeners_job);
	worker_cancel(&retry_job);
}
