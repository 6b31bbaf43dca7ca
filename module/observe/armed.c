// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/moduleparam.h>
#include <linux/rculist.h>
#include <net/sock.h>
#include "observe/armed.h"
#include "observe/observer.h"
#include "policy/quota.h"
#include "task/process.h"

static unsigned int armed_per_user = 256;
module_param(armed_per_user, uint, 0644);
MODULE_PARM_DESC(armed_per_user, "Maximum number of armed threads per user (default 256)");

static unsigned int armed_max = 1024;
module_param(armed_max, uint, 0644);
MODULE_PARM_DESC(armed_max, "Maximum number of armed threads, of all users (default 1024)");

/* At most armed_max plus this many disarmed recorders may be waiting to be freed. */
#define LEAVING_MAX	64

#define TABLE_BITS	6

/*
 * The recorders by the ports of their sockets, read under RCU.  Changes hold armed_table_lock, a
 * leaf.  It is raw, so that on PREEMPT_RT a preempted holder cannot block the worker.
 */
static struct hlist_head table[1 << TABLE_BITS];
static DEFINE_RAW_SPINLOCK(armed_table_lock);

static atomic_t nr_armed;
static atomic64_t armed_bytes;

static struct hlist_head *armed_table_of(u32 port)
{
	return &table[hash_32(port, TABLE_BITS)];
}

static void armed_enter(struct recorder *rec)
{
	sock_hold(rec->socket);
	atomic_inc(&nr_armed);
	atomic64_add(recorder_memory(rec), &armed_bytes);
	raw_spin_lock(&armed_table_lock);
	hlist_add_head_rcu(&rec->node, armed_table_of(rec->port));
	raw_spin_unlock(&armed_table_lock);
}

/* Undo armed_enter() and the charge, and drop the reference. */
static void armed_leave(struct recorder *rec)
{
	quota_leave(rec->quota, QUOTA_ARMED);
	raw_spin_lock(&armed_table_lock);
	if (!hlist_unhashed(&rec->node))
		hlist_del_init_rcu(&rec->node);
	raw_spin_unlock(&armed_table_lock);
	atomic64_sub(recorder_memory(rec), &armed_bytes);
	atomic_dec(&nr_armed);
	sock_put(rec->socket);
	recorder_put(rec);
}

/* The caller then calls armed_leave(). */
static struct recorder *armed_detach(struct recorder *rec)
{
	lockdep_assert_held(&rec->bucket->lock);
	WRITE_ONCE(rec->thread->recorder, NULL);
	rec->thread = NULL;
	return rec;
}

/* Disarmed recorders count until they are freed.  A requester with the reserve may have more. */
static bool armed_too_many(const struct armed_by *by)
{
	const u64 leaving = (u64)READ_ONCE(armed_max) + LEAVING_MAX;

	return recorder_count() > READ_ONCE(armed_max) + (by->reserve ? 2 * leaving : leaving);
}

/*
 * With interrupts off, RCU keeps the thread: see process_thread().
 *
 * Either this sees that the task was freed, or the folding worker sees the recorder: pairs with
 * thread_freed() and armed_end().  And either observer_settle() sees that a hook has removed the
 * mark, or the hook sees the recorder: pairs with observer_unmark().
 */
static int armed_attach(struct recorder *rec, struct thread *t)
{
	lockdep_assert_held(&rec->bucket->lock);
	rec->thread = t;
	/* A hook that sees the recorder finds it initialized. */
	smp_store_release(&t->recorder, rec);
	smp_mb();	/* pairs as described above */
	if (!READ_ONCE(t->freed))
		return 0;
	armed_detach(rec);
	return -ENODATA;
}

/* Another socket's recorder raises a last alert, which says that the thread was disarmed. */
static void armed_take_away(struct recorder *rec, struct task_struct *task)
{
	recorder_raise_last(rec, task);
	armed_leave(rec);
}

/* Attach @rec, if @by may.  @before: the recorder that it replaces, or NULL. */
static int armed_replace(struct recorder *rec, struct task_struct *task,
			 const struct armed_by *by, struct recorder **before)
{
	unsigned long flags;
	struct thread *t;
	int err = 0;

	*before = NULL;
	raw_spin_lock_irqsave(&rec->bucket->lock, flags);
	t = process_thread(task);
	if (!t)
		err = -ENODATA;
	else if (t->recorder && t->recorder->socket != rec->socket && !by->privileged)
		err = -EBUSY;
	if (!err) {
		*before = t->recorder ? armed_detach(t->recorder) : NULL;
		err = armed_attach(rec, t);
	}
	raw_spin_unlock_irqrestore(&rec->bucket->lock, flags);
	return err;
}

/* Return: 1 if @by's socket has armed the task; 0 if @by may arm it; -EBUSY. */
static int armed_by_socket(struct task_struct *task, const struct armed_by *by)
{
	struct observer_bucket *bucket = observer_bucket_of(task);
	const struct sock *there = NULL;
	unsigned long flags;
	struct thread *t;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	t = process_thread(task);
	if (t && t->recorder)
		there = t->recorder->socket;
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	if (!there)
		return 0;
	if (there == by->socket)
		return 1;
	return by->privileged ? 0 : -EBUSY;
}

static struct quota *armed_charge(const struct armed_by *by, bool again)
{
	const struct quota_limits limits = {
		.own = READ_ONCE(armed_per_user),
		.all = READ_ONCE(armed_max),
		.reserve = by->reserve,
		.again = again,
	};
	struct quota *quota = ERR_PTR(-EAGAIN);

	if (!armed_too_many(by))
		quota = quota_charge(by->opener, QUOTA_ARMED, &limits);
	if (quota != ERR_PTR(-EAGAIN))
		return quota;
	/* Wait until disarmed recorders are freed. */
	rcu_barrier();
	if (armed_too_many(by))
		return ERR_PTR(-ENOSPC);
	return quota_charge(by->opener, QUOTA_ARMED, &limits);
}

static struct recorder *armed_make(const struct recorder_options *options,
				   struct task_struct *task, const struct armed_by *by)
{
	int again = armed_by_socket(task, by);
	struct quota *quota = again < 0 ? ERR_PTR(again) : armed_charge(by, again);
	struct recorder *rec;

	if (IS_ERR(quota))
		return ERR_CAST(quota);
	rec = recorder_alloc(options, quota);
	if (IS_ERR(rec)) {
		quota_release(quota, QUOTA_ARMED);
		return rec;
	}
	rec->reserve = by->reserve;
	rec->socket = by->socket;
	rec->net = sock_net(by->socket);
	rec->port = by->port;
	rec->bucket = observer_bucket_of(task);
	return rec;
}

/*
 * armed_enter() comes before the recorder is attached.  This is safe, because a socket cannot be
 * closed while its request is served: armed_orphan() takes no recorder that is not attached yet.
 */
int armed_add(const struct recorder_options *options, struct task_struct *task,
	      const struct armed_by *by)
{
	struct recorder *rec = armed_make(options, task, by), *before;
	int err;

	if (IS_ERR(rec))
		return PTR_ERR(rec);
	armed_enter(rec);
	err = armed_replace(rec, task, by, &before);
	/* Without an error, others may have disarmed the thread by now, and freed @rec. */
	if (before && before->socket != by->socket)
		armed_take_away(before, task);
	else if (before)
		armed_leave(before);
	if (err)
		armed_leave(rec);
	else
		observer_mark_sync(task);
	return err;
}

int armed_remove(struct task_struct *task, const struct armed_by *by)
{
	struct observer_bucket *bucket = observer_bucket_of(task);
	struct recorder *rec = NULL;
	unsigned long flags;
	struct thread *t;
	int err = -ENODATA;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	t = thread_find_alive(task);
	if (t && t->recorder)
		err = t->recorder->socket == by->socket || by->privileged ? 0 : -EPERM;
	if (!err)
		rec = armed_detach(t->recorder);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	if (err)
		return err;
	if (rec->socket == by->socket)
		armed_leave(rec);
	else
		armed_take_away(rec, task);
	return 0;
}

void armed_end(struct thread *t)
{
	struct observer_bucket *bucket = observer_bucket_of(t->task);
	struct recorder *rec = NULL;
	unsigned long flags;

	smp_mb();	/* pairs with armed_attach() */
	if (!READ_ONCE(t->recorder))
		return;
	raw_spin_lock_irqsave(&bucket->lock, flags);
	if (t->recorder)
		rec = armed_detach(t->recorder);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	if (rec)
		armed_leave(rec);
}

static bool armed_is_from(const struct recorder *rec, const struct net *net, u32 port)
{
	return rec->port == port && rec->net == net;
}

static bool armed_any_from(const struct net *net, u32 port)
{
	const struct recorder *rec;
	bool any = false;

	rcu_read_lock();
	hlist_for_each_entry_rcu(rec, armed_table_of(port), node)
		any |= armed_is_from(rec, net, port);
	rcu_read_unlock();
	return any;
}

/* Take a recorder of a closed socket out of the table.  Return: with a reference; or NULL. */
static struct recorder *armed_orphan(const struct net *net, u32 port)
{
	struct recorder *rec, *found = NULL;

	raw_spin_lock(&armed_table_lock);
	hlist_for_each_entry(rec, armed_table_of(port), node) {
		/* A recorder in the table is referenced, and so is its socket. */
		if (!armed_is_from(rec, net, port) || !sock_flag(rec->socket, SOCK_DEAD))
			continue;
		hlist_del_init_rcu(&rec->node);
		refcount_inc(&rec->refs);
		found = rec;
		break;
	}
	raw_spin_unlock(&armed_table_lock);
	return found;
}

/* If another task has detached the recorder, that task calls armed_leave(). */
static void armed_disown(struct recorder *rec)
{
	unsigned long flags;
	bool ours;

	raw_spin_lock_irqsave(&rec->bucket->lock, flags);
	ours = rec->thread;
	if (ours)
		armed_detach(rec);
	raw_spin_unlock_irqrestore(&rec->bucket->lock, flags);
	if (ours)
		armed_leave(rec);
	recorder_put(rec);
}

void armed_socket_closed(const struct net *net, u32 port)
{
	struct recorder *rec;

	if (!armed_any_from(net, port))
		return;
	while ((rec = armed_orphan(net, port)))
		armed_disown(rec);
}

void armed_counts(struct armed_counts *counts)
{
	counts->armed = atomic_read(&nr_armed);
	counts->memory = atomic64_read(&armed_bytes);
}
