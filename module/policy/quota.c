// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include "policy/quota.h"
#include "task/worker.h"

#define TABLE_BITS	6

/*
 * An idle quota is kept longer than a one-second burst of alerts, so that a program cannot reset
 * its alert rate by restarting.
 */
#define IDLE_JIFFIES	(2 * HZ)

/*
 * At most this many times the limit may be leaving (released, but not freed yet), so that a program
 * can restart before its memory is freed.
 */
#define LEAVING_TIMES	2

/* If the limit is low, this many may be leaving all the same. */
#define LEAVING_LEAST	64

/*
 * The lock is a leaf, and is held with irqs off.  It is raw, so that on PREEMPT_RT a preempted
 * holder cannot block the worker.
 */
struct quota_bucket {
	raw_spinlock_t lock;
	struct hlist_head quotas;
};

static struct quota_bucket table[1 << TABLE_BITS] = {
	[0 ... (1 << TABLE_BITS) - 1] = { .lock = __RAW_SPIN_LOCK_UNLOCKED(table.lock) },
};

static atomic_t totals[NR_QUOTA_KINDS];

static void quota_sweep(void);
static DEFINE_WORKER_JOB(sweep_job, quota_sweep);

struct quota_key {
	struct user_namespace *users;
	kuid_t user;
	bool reserve;
};

/* No lock is needed: the owner and the parent of a user namespace never change. */
static struct quota_key quota_key_of(const struct cred *cred, bool reserve)
{
	struct quota_key key = { NULL, cred->uid, reserve };
	struct user_namespace *ns = cred->user_ns;

	for (; ns != &init_user_ns; ns = ns->parent) {
		key.users = ns;
		key.user = ns->owner;
	}
	if (!uid_eq(key.user, GLOBAL_ROOT_UID))
		key.users = NULL;
	return key;
}

static struct quota_bucket *quota_bucket_of(struct user_namespace *users, kuid_t user)
{
	const u32 hash = hash_ptr(users, 32) ^ hash_32(__kuid_val(user), 32);

	return &table[hash_32(hash, TABLE_BITS)];
}

static struct quota *quota_find(const struct quota_bucket *bucket,
				const struct quota_key *key)
{
	struct quota *q;

	lockdep_assert_held(&bucket->lock);
	hlist_for_each_entry(q, &bucket->quotas, node)
		if (q->users == key->users && uid_eq(q->user, key->user) &&
		    q->reserve == key->reserve)
			return q;
	return NULL;
}

static struct quota *quota_alloc(const struct quota_key *key)
{
	struct quota *q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);

	if (!q)
		return NULL;
	q->user = key->user;
	q->reserve = key->reserve;
	if (key->users)
		q->users = get_user_ns(key->users);
	return q;
}

static void quota_free(struct quota *q)
{
	if (q->users)
		put_user_ns(q->users);
	kfree(q);
}

static bool quota_total_up(atomic_t *total, u64 limit)
{
	int seen = atomic_read(total);

	do {
		if ((unsigned int)seen >= limit)
			return false;
	} while (!atomic_try_cmpxchg(total, &seen, seen + 1));
	return true;
}

static u64 quota_limit_of_all(const struct quota_limits *limits)
{
	const u64 reserved = limits->reserve ? 0 : limits->all / 4;

	return limits->all - reserved + limits->again;
}

static bool quota_leaves_many(const struct quota *q, enum quota_kind kind, unsigned int own)
{
	lockdep_assert_held(&quota_bucket_of(q->users, q->user)->lock);
	return q->leaving[kind] >= max_t(u64, (u64)own * LEAVING_TIMES, LEAVING_LEAST);
}

static int quota_count_up(struct quota *q, enum quota_kind kind,
			  const struct quota_limits *limits)
{
	if (q->used[kind] >= (u64)limits->own + limits->again)
		return -EUSERS;
	if (quota_leaves_many(q, kind, limits->own))
		return -EAGAIN;
	if (!quota_total_up(&totals[kind], quota_limit_of_all(limits)))
		return -ENOSPC;
	q->used[kind]++;
	return 0;
}

/*
 * If the key has no quota, *@fresh becomes its quota, and is set to NULL.
 * Return: the quota; or an ERR_PTR: -ENOENT if *@fresh is NULL as well.
 */
static struct quota *quota_charge_with(struct quota **fresh, const struct quota_key *key,
				       enum quota_kind kind,
				       const struct quota_limits *limits)
{
	struct quota_bucket *bucket = quota_bucket_of(key->users, key->user);
	struct quota *q;
	unsigned long flags;
	int err = -ENOENT;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	q = quota_find(bucket, key) ?: *fresh;
	if (q)
		err = quota_count_up(q, kind, limits);
	if (!err && q == *fresh) {
		hlist_add_head(&q->node, &bucket->quotas);
		*fresh = NULL;
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return err ? ERR_PTR(err) : q;
}

struct quota *quota_charge(const struct cred *cred, enum quota_kind kind,
			   const struct quota_limits *limits)
{
	const struct quota_key key = quota_key_of(cred, limits->reserve);
	struct quota *fresh = NULL, *q;

	q = quota_charge_with(&fresh, &key, kind, limits);
	if (q != ERR_PTR(-ENOENT))
		return q;
	fresh = quota_alloc(&key);
	if (!fresh)
		return ERR_PTR(-ENOMEM);
	q = quota_charge_with(&fresh, &key, kind, limits);
	if (fresh)
		quota_free(fresh);
	return q;
}

static bool quota_is_idle(const struct quota *q)
{
	enum quota_kind kind;

	for (kind = 0; kind < NR_QUOTA_KINDS; kind++)
		if (q->used[kind] || q->leaving[kind])
			return false;
	return true;
}

static void quota_count(struct quota *q, enum quota_kind kind, int used, int leaving)
{
	struct quota_bucket *bucket = quota_bucket_of(q->users, q->user);
	unsigned long flags;
	bool idle;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	q->used[kind] += used;
	q->leaving[kind] += leaving;
	q->idle_since = jiffies;
	idle = quota_is_idle(q);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	/* The quota may be freed from here on. */
	atomic_add(used, &totals[kind]);
	if (idle)
		worker_queue(&sweep_job, IDLE_JIFFIES);
}

void quota_release(struct quota *q, enum quota_kind kind)
{
	quota_count(q, kind, -1, 0);
}

void quota_leave(struct quota *q, enum quota_kind kind)
{
	quota_count(q, kind, -1, 1);
}

void quota_left(struct quota *q, enum quota_kind kind)
{
	quota_count(q, kind, 0, -1);
}

void quota_replaced(struct quota *q, enum quota_kind kind)
{
	quota_count(q, kind, 0, 1);
}

bool quota_may_replace(struct quota *q, enum quota_kind kind, unsigned int own)
{
	struct quota_bucket *bucket = quota_bucket_of(q->users, q->user);
	unsigned long flags;
	bool many;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	many = quota_leaves_many(q, kind, own);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return !many;
}

/* Moves quotas that were idle for @age to @idle.  Return: true if other idle quotas are left. */
static bool quota_collect(struct quota_bucket *bucket, unsigned long age,
			  struct hlist_head *idle)
{
	struct hlist_node *next;
	struct quota *q;
	unsigned long flags;
	bool left = false;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	hlist_for_each_entry_safe(q, next, &bucket->quotas, node) {
		if (!quota_is_idle(q))
			continue;
		if (time_before(jiffies, q->idle_since + age)) {
			left = true;
			continue;
		}
		hlist_del(&q->node);
		hlist_add_head(&q->node, idle);
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return left;
}

/* Return: true if idle quotas are left. */
static bool quota_free_idle(unsigned long age)
{
	struct hlist_node *next;
	struct quota *q;
	bool left = false;
	HLIST_HEAD(idle);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		left |= quota_collect(&table[i], age, &idle);
	hlist_for_each_entry_safe(q, next, &idle, node)
		quota_free(q);
	return left;
}

static void quota_sweep(void)
{
	if (quota_free_idle(IDLE_JIFFIES))
		worker_queue(&sweep_job, IDLE_JIFFIES);
}

unsigned int quota_total(enum quota_kind kind)
{
	return atomic_read(&totals[kind]);
}

void quota_exit(void)
{
	rcu_barrier();	/* for the callbacks that call quota_left() */
	worker_cancel(&sweep_job);
	quota_free_idle(0);
}
