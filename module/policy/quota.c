// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include "policy/quota.h"
#include "task/worker.h"

#define TABLE_BITS	6

/*
 * An account whose owner uses nothing is kept for longer than the second by which alerts
 * may be ahead of their rate, so that the rate cannot be evaded by beginning anew.
 */
#define IDLE_JIFFIES	(2 * HZ)

/*
 * So many times as many may be leaving as may be used: a user's programs that end and start
 * again at once are not refused because the memory of the last ones is not freed.
 */
#define LEAVING_TIMES	2

/* At least this many may be leaving, however few may be used. */
#define LEAVING_LEAST	64

/*
 * The lock is a leaf, held for one search, with interrupts off.  The worker takes it, so it
 * is a raw one.
 */
struct account_bucket {
	raw_spinlock_t lock;
	struct hlist_head accounts;
};

static struct account_bucket table[1 << TABLE_BITS] = {
	[0 ... (1 << TABLE_BITS) - 1] = { .lock = __RAW_SPIN_LOCK_UNLOCKED(table.lock) },
};

static atomic_t totals[NR_ACCOUNT_KINDS];

static void account_sweep(void);
static DEFINE_WORKER_JOB(sweep_job, account_sweep);

struct account_key {
	struct user_namespace *users;
	kuid_t user;
	bool reserve;
};

/* The owner and the parent of a user namespace never change. */
static struct account_key account_key_of(const struct cred *cred, bool reserve)
{
	struct account_key key = { NULL, cred->uid, reserve };
	struct user_namespace *ns = cred->user_ns;

	for (; ns != &init_user_ns; ns = ns->parent) {
		key.users = ns;
		key.user = ns->owner;
	}
	if (!uid_eq(key.user, GLOBAL_ROOT_UID))
		key.users = NULL;
	return key;
}

static struct account_bucket *account_bucket_of(struct user_namespace *users, kuid_t user)
{
	const u32 hash = hash_ptr(users, 32) ^ hash_32(__kuid_val(user), 32);

	return &table[hash_32(hash, TABLE_BITS)];
}

/* Under the lock of the bucket. */
static struct account *account_find(const struct account_bucket *bucket,
				    const struct account_key *key)
{
	struct account *a;

	hlist_for_each_entry(a, &bucket->accounts, node)
		if (a->users == key->users && uid_eq(a->user, key->user) &&
		    a->reserve == key->reserve)
			return a;
	return NULL;
}

static struct account *account_alloc(const struct account_key *key)
{
	struct account *a = kzalloc(sizeof(*a), GFP_KERNEL_ACCOUNT);

	if (!a)
		return NULL;
	a->user = key->user;
	a->reserve = key->reserve;
	if (key->users)
		a->users = get_user_ns(key->users);
	return a;
}

static void account_free(struct account *a)
{
	if (a->users)
		put_user_ns(a->users);
	kfree(a);
}

static bool account_total_up(atomic_t *total, u64 limit)
{
	int seen = atomic_read(total);

	do {
		if ((unsigned int)seen >= limit)
			return false;
	} while (!atomic_try_cmpxchg(total, &seen, seen + 1));
	return true;
}

static u64 account_limit_of_all(const struct account_limits *limits)
{
	const u64 reserved = limits->reserve ? 0 : limits->all / 4;

	return limits->all - reserved + limits->again;
}

/* Under the lock of the bucket. */
static bool account_leaves_many(const struct account *a, enum account_kind kind, unsigned int own)
{
	return a->leaving[kind] >= max_t(u64, (u64)own * LEAVING_TIMES, LEAVING_LEAST);
}

/* Under the lock of the bucket. */
static int account_count_up(struct account *a, enum account_kind kind,
			    const struct account_limits *limits)
{
	if (a->used[kind] >= (u64)limits->own + limits->again)
		return -EUSERS;
	if (account_leaves_many(a, kind, limits->own))
		return -EAGAIN;
	if (!account_total_up(&totals[kind], account_limit_of_all(limits)))
		return -ENOSPC;
	a->used[kind]++;
	return 0;
}

/*
 * If there is no account, @fresh becomes it, and is NULL afterwards.
 * Return: the account, or an ERR_PTR: -ENOENT if both are missing.
 */
static struct account *account_charge_with(struct account **fresh, const struct account_key *key,
					   enum account_kind kind,
					   const struct account_limits *limits)
{
	struct account_bucket *bucket = account_bucket_of(key->users, key->user);
	struct account *a;
	unsigned long flags;
	int err = -ENOENT;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	a = account_find(bucket, key) ?: *fresh;
	if (a)
		err = account_count_up(a, kind, limits);
	if (!err && a == *fresh) {
		hlist_add_head(&a->node, &bucket->accounts);
		*fresh = NULL;
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return err ? ERR_PTR(err) : a;
}

struct account *account_charge(const struct cred *cred, enum account_kind kind,
			       const struct account_limits *limits)
{
	const struct account_key key = account_key_of(cred, limits->reserve);
	struct account *fresh = NULL, *a;

	a = account_charge_with(&fresh, &key, kind, limits);
	if (a != ERR_PTR(-ENOENT))
		return a;
	fresh = account_alloc(&key);
	if (!fresh)
		return ERR_PTR(-ENOMEM);
	a = account_charge_with(&fresh, &key, kind, limits);
	if (fresh)
		account_free(fresh);
	return a;
}

static bool account_is_idle(const struct account *a)
{
	enum account_kind kind;

	for (kind = 0; kind < NR_ACCOUNT_KINDS; kind++)
		if (a->used[kind] || a->leaving[kind])
			return false;
	return true;
}

static void account_count(struct account *a, enum account_kind kind, int used, int leaving)
{
	struct account_bucket *bucket = account_bucket_of(a->users, a->user);
	unsigned long flags;
	bool idle;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	a->used[kind] += used;
	a->leaving[kind] += leaving;
	a->idle_since = jiffies;
	idle = account_is_idle(a);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	/* From here on the account may be gone. */
	atomic_add(used, &totals[kind]);
	if (idle)
		worker_queue(&sweep_job, IDLE_JIFFIES);
}

void account_release(struct account *a, enum account_kind kind)
{
	account_count(a, kind, -1, 0);
}

void account_leave(struct account *a, enum account_kind kind)
{
	account_count(a, kind, -1, 1);
}

void account_left(struct account *a, enum account_kind kind)
{
	account_count(a, kind, 0, -1);
}

void account_replaced(struct account *a, enum account_kind kind)
{
	account_count(a, kind, 0, 1);
}

bool account_may_replace(struct account *a, enum account_kind kind, unsigned int own)
{
	struct account_bucket *bucket = account_bucket_of(a->users, a->user);
	unsigned long flags;
	bool many;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	many = account_leaves_many(a, kind, own);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return !many;
}

/* Moves the accounts that have been idle for @age to @idle.  Return: others are idle. */
static bool account_collect(struct account_bucket *bucket, unsigned long age,
			    struct hlist_head *idle)
{
	struct hlist_node *next;
	struct account *a;
	unsigned long flags;
	bool left = false;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	hlist_for_each_entry_safe(a, next, &bucket->accounts, node) {
		if (!account_is_idle(a))
			continue;
		if (time_before(jiffies, a->idle_since + age)) {
			left = true;
			continue;
		}
		hlist_del(&a->node);
		hlist_add_head(&a->node, idle);
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return left;
}

/* Return: true if idle accounts are left. */
static bool account_free_idle(unsigned long age)
{
	struct hlist_node *next;
	struct account *a;
	bool left = false;
	HLIST_HEAD(idle);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		left |= account_collect(&table[i], age, &idle);
	hlist_for_each_entry_safe(a, next, &idle, node)
		account_free(a);
	return left;
}

static void account_sweep(void)
{
	if (account_free_idle(IDLE_JIFFIES))
		worker_queue(&sweep_job, IDLE_JIFFIES);
}

unsigned int account_total(enum account_kind kind)
{
	return atomic_read(&totals[kind]);
}

void account_exit(void)
{
	rcu_barrier();	/* the callbacks that call account_left() */
	worker_cancel(&sweep_job);
	account_free_idle(0);
}
