// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/slab.h>
#include "observe/mapping.h"
#include "observe/observer.h"
#include "observe/user_page.h"
#include "task/process.h"

static LIST_HEAD(mappings);		/* under observer_lock */
static u32 nr_mappings;			/* under observer_lock */

static void mapping_free_rcu(struct rcu_head *rcu)
{
	struct mapping *m = container_of(rcu, struct mapping, rcu);

	user_page_free(m->page);
	kfree(m);
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
	m->exact = exact;
	return m;
}

/* Under observer_lock.  With interrupts off, no hook changes the current record. */
static void mapping_attach(struct mapping *m, struct thread *t)
{
	user_page_fill(m->page, t);
	m->thread = t;
	list_add(&m->node, &mappings);
	nr_mappings++;
	/* The mapping is initialized when a hook sees it. */
	smp_store_release(&t->mapping, m);
	observer_mark(t);
}

/* Under observer_lock.  A hook that begins after this does not write to the page. */
static void mapping_detach(struct mapping *m)
{
	WRITE_ONCE(m->thread->mapping, NULL);
	m->thread = NULL;
}

struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact)
{
	struct mapping *fresh = mapping_alloc(measured, exact), *m = NULL;
	unsigned long flags;
	struct thread *t;

	if (!fresh)
		return ERR_PTR(-ENOMEM);
	raw_spin_lock_irqsave(&observer_lock, flags);
	t = process_thread(current);
	if (t) {
		if (!t->mapping) {
			mapping_attach(fresh, t);
			fresh = NULL;
		}
		m = t->mapping;
		m->maps++;
		/* All mappings show the same page. */
		m->exact &= exact;
	}
	raw_spin_unlock_irqrestore(&observer_lock, flags);
	if (fresh)
		mapping_free_rcu(&fresh->rcu);
	return m ?: ERR_PTR(-ENODATA);
}

void mapping_open(struct mapping *m)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&observer_lock, flags);
	m->maps++;
	raw_spin_unlock_irqrestore(&observer_lock, flags);
}

void mapping_close(struct mapping *m)
{
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&observer_lock, flags);
	last = !--m->maps;
	if (last) {
		if (m->thread)
			mapping_detach(m);
		list_del(&m->node);
		nr_mappings--;
	}
	raw_spin_unlock_irqrestore(&observer_lock, flags);
	/* A hook may still be writing to the page. */
	if (last)
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

void mapping_end(struct thread *t, enum taskrt_page_status why)
{
	struct mapping *m;
	unsigned long flags;

	if (!READ_ONCE(t->mapping))
		return;
	raw_spin_lock_irqsave(&observer_lock, flags);
	m = t->mapping;
	if (m) {
		mapping_detach(m);
		user_page_settle(m->page, why);
	}
	raw_spin_unlock_irqrestore(&observer_lock, flags);
}

static void mapping_detach_inexact(void)
{
	unsigned long flags;
	struct mapping *m;

	raw_spin_lock_irqsave(&observer_lock, flags);
	list_for_each_entry(m, &mappings, node)
		if (!m->exact && m->thread)
			mapping_detach(m);
	raw_spin_unlock_irqrestore(&observer_lock, flags);
}

void mapping_revoke(void)
{
	unsigned long flags;
	struct mapping *m;

	mapping_detach_inexact();
	/* Hooks that were running have returned after this. */
	synchronize_rcu();
	raw_spin_lock_irqsave(&observer_lock, flags);
	list_for_each_entry(m, &mappings, node)
		if (!m->exact && !m->thread)
			user_page_settle(m->page, TASKRT_PAGE_REVOKED);
	raw_spin_unlock_irqrestore(&observer_lock, flags);
}

u32 mapping_count(void)
{
	return READ_ONCE(nr_mappings);
}

u64 mapping_memory(void)
{
	return mapping_count() * (u64)(user_page_bytes() + sizeof(struct mapping));
}
