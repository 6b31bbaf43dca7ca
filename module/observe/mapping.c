// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include "observe/mapping.h"
#include "observe/observer.h"
#include "observe/user_page.h"
#include "policy/quota.h"
#include "task/process.h"

static unsigned int mappings_per_user = 2048;
module_param(mappings_per_user, uint, 0644);
MODULE_PARM_DESC(mappings_per_user, "Maximum number of threads with mapped counters per user (default 2048)");

static unsigned int mappings_max = 16384;
module_param(mappings_max, uint, 0644);
MODULE_PARM_DESC(mappings_max, "Maximum number of threads with mapped counters, of all users (default 16384)");

static void mapping_free(struct mapping *m)
{
	user_page_free(m->page);
	kfree(m);
}

static void mapping_free_rcu(struct rcu_head *rcu)
{
	struct mapping *m = container_of(rcu, struct mapping, rcu);
	struct quota *quota = m->quota;

	mapping_free(m);
	quota_left(quota, QUOTA_MAPPINGS);
}

static struct mapping *mapping_alloc(const struct taskrt_measured *measured, bool exact)
{
	struct mapping *m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);

	if (!m)
		return NULL;
	m->page = user_page_alloc(measured);
	if (!m->page) {
		kfree(m);
		return NULL;
	}
	m->bucket = observer_bucket_of(current);
	m->maps = 1;
	m->exact = exact;
	return m;
}

static struct quota *mapping_charge(void)
{
	const struct quota_limits limits = {
		.own = READ_ONCE(mappings_per_user),
		.all = READ_ONCE(mappings_max),
		.reserve = ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE),
	};

	return quota_charge(current_cred(), QUOTA_MAPPINGS, &limits);
}

/* With interrupts off, no hook changes the current thread's record. */
static void mapping_attach(struct mapping *m, struct thread *t)
{
	lockdep_assert_held(&m->bucket->lock);
	user_page_fill(m->page, t);
	m->thread = t;
	list_add(&m->node, &m->bucket->mappings);
	/* A hook that sees the mapping finds it initialized. */
	smp_store_release(&t->mapping, m);
	observer_mark(t);
}

/* Hooks that start after this do not write to the page. */
static void mapping_detach(struct mapping *m)
{
	lockdep_assert_held(&m->bucket->lock);
	WRITE_ONCE(m->thread->mapping, NULL);
	m->thread = NULL;
}

/* Add a memory area that shows the current thread's mapping, if it has one. */
static struct mapping *mapping_share(bool exact)
{
	struct observer_bucket *bucket = observer_bucket_of(current);
	struct mapping *m = NULL;
	unsigned long flags;
	struct thread *t;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	t = process_thread(current);
	if (t)
		m = t->mapping;
	if (m) {
		m->maps++;
		/* All areas show the same page: all their readers must be allowed exact times. */
		m->exact &= exact;
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return m;
}

/* The current thread has no mapping, and no other task can give it one. */
static int mapping_give(struct mapping *m)
{
	unsigned long flags;
	struct thread *t;

	raw_spin_lock_irqsave(&m->bucket->lock, flags);
	t = process_thread(current);
	if (t)
		mapping_attach(m, t);
	raw_spin_unlock_irqrestore(&m->bucket->lock, flags);
	return t ? 0 : -ENODATA;
}

static struct mapping *mapping_make(const struct taskrt_measured *measured, bool exact)
{
	struct quota *quota = mapping_charge();
	struct mapping *m;
	int err = -ENOMEM;

	if (IS_ERR(quota))
		return ERR_CAST(quota);
	m = mapping_alloc(measured, exact);
	if (m) {
		m->quota = quota;
		err = mapping_give(m);
	}
	if (!err)
		return m;
	if (m)
		mapping_free(m);
	quota_release(quota, QUOTA_MAPPINGS);
	return ERR_PTR(err);
}

struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact)
{
	return mapping_share(exact) ?: mapping_make(measured, exact);
}

void mapping_open(struct mapping *m)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&m->bucket->lock, flags);
	m->maps++;
	raw_spin_unlock_irqrestore(&m->bucket->lock, flags);
}

void mapping_close(struct mapping *m)
{
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&m->bucket->lock, flags);
	last = !--m->maps;
	if (last) {
		if (m->thread)
			mapping_detach(m);
		list_del(&m->node);
	}
	raw_spin_unlock_irqrestore(&m->bucket->lock, flags);
	if (!last)
		return;
	quota_leave(m->quota, QUOTA_MAPPINGS);
	/* A hook may still be writing to the page. */
	call_rcu(&m->rcu, mapping_free_rcu);
}

size_t mapping_size(void)
{
	return user_page_bytes();
}

struct page *mapping_page(const struct mapping *m, unsigned int index)
{
	return virt_to_page((void *)m->page + index * PAGE_SIZE);
}

void mapping_end(struct thread *t)
{
	struct observer_bucket *bucket = observer_bucket_of(t->task);
	struct mapping *m;
	unsigned long flags;

	if (!READ_ONCE(t->mapping))
		return;
	raw_spin_lock_irqsave(&bucket->lock, flags);
	m = t->mapping;
	if (m) {
		mapping_detach(m);
		user_page_settle(m->page, TASKRT_PAGE_ENDED);
	}
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
}

static void mapping_detach_any(struct mapping *m)
{
	if (m->thread)
		mapping_detach(m);
}

static void mapping_settle_any(struct mapping *m)
{
	lockdep_assert_held(&m->bucket->lock);
	if (!m->thread)
		user_page_settle(m->page, TASKRT_PAGE_STOPPED);
}

static void mapping_detach_inexact(struct mapping *m)
{
	if (!m->exact)
		mapping_detach_any(m);
}

static void mapping_settle_inexact(struct mapping *m)
{
	lockdep_assert_held(&m->bucket->lock);
	if (!m->exact && !m->thread)
		user_page_settle(m->page, TASKRT_PAGE_REVOKED);
}

/* One walk at a time: the place of another walk in the list is no mapping. */
static DEFINE_MUTEX(mapping_walk);

/* Call @act for each mapping that was listed at the start.  The lock is released in between. */
static void mapping_each_of(struct observer_bucket *bucket, void (*act)(struct mapping *m))
{
	struct list_head place, *next;
	unsigned long flags;

	lockdep_assert_held(&mapping_walk);
	raw_spin_lock_irqsave(&bucket->lock, flags);
	list_add(&place, &bucket->mappings);
	while ((next = place.next) != &bucket->mappings) {
		list_move(&place, next);
		act(list_entry(next, struct mapping, node));
		raw_spin_unlock_irqrestore(&bucket->lock, flags);
		cond_resched();
		raw_spin_lock_irqsave(&bucket->lock, flags);
	}
	list_del(&place);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
}

static void mapping_each(void (*act)(struct mapping *m))
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(observer_buckets); i++)
		mapping_each_of(&observer_buckets[i], act);
}

static void mapping_freeze(void (*detach)(struct mapping *m), void (*settle)(struct mapping *m))
{
	mutex_lock(&mapping_walk);
	mapping_each(detach);
	/* Wait until no hook writes to a detached page. */
	synchronize_rcu();
	mapping_each(settle);
	mutex_unlock(&mapping_walk);
}

void mapping_revoke(void)
{
	/* Module parameters are set before the module is initialized. */
	if (observer_ready())
		mapping_freeze(mapping_detach_inexact, mapping_settle_inexact);
}

void mapping_stop(void)
{
	mapping_freeze(mapping_detach_any, mapping_settle_any);
}

u32 mapping_count(void)
{
	return quota_total(QUOTA_MAPPINGS);
}

u64 mapping_memory(void)
{
	return mapping_count() * (u64)(user_page_bytes() + sizeof(struct mapping));
}
