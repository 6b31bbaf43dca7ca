// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/time_namespace.h>
#include <linux/user_namespace.h>
#include "clock.h"
#include "compat.h"
#include "intervals.h"
#include "mapping.h"
#include "process.h"
#include "watch.h"

#define MEMORY_SIZE	PAGE_ALIGN(TASKRT_PAGE_SIZE)

static LIST_HEAD(mappings);		/* under watch_lock, as is what follows */
static u32 nr_mappings;

static void begin(struct taskrt_page *page, enum mapping_part part)
{
	WRITE_ONCE(page->changes[part], page->changes[part] + 1);
	smp_wmb();	/* odd before the first change; pairs with a reader in user space */
}

static void end(struct taskrt_page *page, enum mapping_part part)
{
	smp_wmb();	/* even after the last change; as above */
	WRITE_ONCE(page->changes[part], page->changes[part] + 1);
}

u64 mapping_begin(struct mapping *m, enum mapping_part part)
{
	begin(m->page, part);
	smp_mb();	/* odd before the clock is read; pairs with a reader that read its own */
	return clock_now();
}

static void set_longest(struct taskrt_longest *to, const struct record_longest *from)
{
	to->ns = from->ns;
	to->at_ns = from->at;
}

static void set_present(struct taskrt_page *page, const struct record *r)
{
	page->state = record_state(r);
	page->since_ns = r->since;
	if (page->state == STATE_EXITED)
		page->status = TASKRT_PAGE_ENDED;
}

void mapping_sched(struct mapping *m, const struct thread *t, u8 left, u64 since)
{
	struct taskrt_page *page = m->page;
	const struct record *r = &t->record;

	page->totals.states_ns[left] = r->states[left].ns;
	set_longest(&page->longest[left], &r->states[left].longest);
	if (r->since != since)
		intervals_add(&page->intervals[left], r->since - since, since);
	set_present(page, r);
	page->totals.wakeups = r->wakeups;
	page->totals.voluntary_switches = READ_ONCE(t->task->nvcsw);
	page->totals.involuntary_switches = READ_ONCE(t->task->nivcsw);
	end(page, MAPPING_SCHED);
}

static void set_fault(struct taskrt_page *page, const struct thread *t)
{
	const struct record *r = &t->record;

	page->in_progress = (page->in_progress & ~TASKRT_IN_FAULT) |
			    (r->fault_depth ? TASKRT_IN_FAULT : 0);
	page->fault_since_ns = r->fault_since;
	page->totals.minor_fault_time_ns = r->fault_ns[0];
	page->totals.major_fault_time_ns = r->fault_ns[1];
	page->totals.page_fault_time_ns = r->fault_ns[0] + r->fault_ns[1];
	page->totals.minor_faults = READ_ONCE(t->task->min_flt);
	page->totals.major_faults = READ_ONCE(t->task->maj_flt);
	set_longest(&page->longest[TASKRT_TIMER_FAULT], &r->fault_longest);
}

void mapping_fault(struct mapping *m, const struct thread *t, u64 ns)
{
	struct taskrt_page *page = m->page;

	set_fault(page, t);
	if (ns)
		intervals_add(&page->intervals[TASKRT_TIMER_FAULT], ns, t->record.fault_since);
	end(page, MAPPING_SELF);
}

static void set_lock(struct taskrt_page *page, const struct record *r)
{
	u64 sum = 0;
	int i;

	page->in_progress = (page->in_progress & ~TASKRT_IN_LOCK) |
			    (r->lock_addr ? TASKRT_IN_LOCK : 0);
	page->lock_since_ns = r->lock_since;
	page->lock = r->lock_kind;
	for (i = 0; i < NR_LOCKS; i++) {
		page->totals.lock_time_ns[i] = r->lock_ns[i];
		page->totals.lock_count[i] = r->lock_count[i];
		sum += r->lock_ns[i];
	}
	page->totals.lock_contention_time_ns = sum;
	set_longest(&page->longest[TASKRT_TIMER_LOCK], &r->lock_longest);
}

void mapping_lock(struct mapping *m, const struct thread *t, u64 ns)
{
	struct taskrt_page *page = m->page;

	set_lock(page, &t->record);
	if (ns)
		intervals_add(&page->intervals[TASKRT_TIMER_LOCK], ns, t->record.lock_since);
	end(page, MAPPING_SELF);
}

/* Who it is, as its own process sees it. */
static void set_identity(struct taskrt_page *page)
{
	struct timespec64 offset = {};

	timens_add_monotonic(&offset);
	page->clock_offset_ns = timespec64_to_ns(&offset);
	page->start_time_ns = current->start_time;
	page->tid = task_pid_vnr(current);
	page->tgid = task_tgid_vnr(current);
	rcu_read_lock();
	page->ppid = task_tgid_nr_ns(rcu_dereference(current->real_parent),
				     task_active_pid_ns(current));
	rcu_read_unlock();
	page->uid = from_kuid_munged(current_user_ns(), current_uid());
	page->gid = from_kgid_munged(current_user_ns(), current_gid());
	if (current->flags & PF_KTHREAD)
		page->flags |= TASKRT_FLAG_KTHREAD;
	strscpy_pad(page->comm, current->comm, sizeof(page->comm));
}

/* All of the current thread's record; no hook of it runs. */
static void set_all(struct taskrt_page *page, const struct thread *t)
{
	const struct record *r = &t->record;
	int i;

	page->mapped_since_ns = clock_now();
	page->tracked_since_ns = r->tracked_since;
	page->cpu_before_ns = t->cpu_before_ns;
	page->queue_before_ns = t->queue_before_ns;
	if (t->late)
		page->flags |= TASKRT_FLAG_LATE;
	for (i = 0; i < NR_STATES; i++) {
		page->totals.states_ns[i] = r->states[i].ns;
		set_longest(&page->longest[i], &r->states[i].longest);
	}
	page->totals.wakeups = r->wakeups;
	page->totals.voluntary_switches = t->task->nvcsw;
	page->totals.involuntary_switches = t->task->nivcsw;
	set_present(page, r);
	set_fault(page, t);
	set_lock(page, r);
}

static void free_rcu(struct rcu_head *rcu)
{
	struct mapping *m = container_of(rcu, struct mapping, rcu);

	free_pages_exact(m->page, MEMORY_SIZE);
	kfree(m);
}

static struct mapping *mapping_alloc(u64 valid, bool exact)
{
	struct mapping *m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);

	if (!m)
		return NULL;
	m->page = alloc_pages_exact(MEMORY_SIZE, COMPAT_GFP_MAPPED | __GFP_ZERO);
	if (!m->page) {
		kfree(m);
		return NULL;
	}
	m->page->version = TASKRT_PAGE_VERSION;
	m->page->size = sizeof(*m->page);
	m->page->valid = valid & ~TASKRT_VALID_THREADS;
	m->exact = exact;
	set_identity(m->page);
	return m;
}

/* Under watch_lock, which keeps interrupts off: the current thread stays what it is. */
static void attach(struct mapping *m, struct thread *t)
{
	set_all(m->page, t);
	m->thread = t;
	list_add(&m->node, &mappings);
	nr_mappings++;
	/* Whole when a hook sees it. */
	smp_store_release(&t->mapping, m);
	watch_own(t);
}

/* Under watch_lock: from the next event on no hook writes to it. */
static void detach(struct mapping *m)
{
	WRITE_ONCE(m->thread->mapping, NULL);
	m->thread = NULL;
}

static u64 passed(u64 since, u64 now)
{
	return (s64)(now - since) > 0 ? now - since : 0;
}

static void settle_state(struct taskrt_page *page, u64 now)
{
	const u64 ns = passed(page->since_ns, now);
	struct taskrt_longest *longest = &page->longest[page->state];

	page->totals.states_ns[page->state] += ns;
	if (ns > longest->ns) {
		longest->ns = ns;
		longest->at_ns = page->since_ns;
	}
	page->since_ns += ns;
}

static void settle_timers(struct taskrt_page *page, u64 now)
{
	if (page->in_progress & TASKRT_IN_FAULT)
		page->totals.page_fault_time_ns += passed(page->fault_since_ns, now);
	if (page->in_progress & TASKRT_IN_LOCK) {
		page->totals.lock_contention_time_ns += passed(page->lock_since_ns, now);
		page->totals.lock_time_ns[page->lock] += passed(page->lock_since_ns, now);
	}
	page->in_progress = 0;
}

/*
 * These are its last values: as of now, so that nobody was told of more before.
 * No hook writes to it any more.
 */
static void settle(struct taskrt_page *page, enum taskrt_page_status why)
{
	const u64 now = clock_now();

	if (page->status != TASKRT_PAGE_LIVE)
		return;
	begin(page, MAPPING_SCHED);
	begin(page, MAPPING_SELF);
	settle_state(page, now);
	settle_timers(page, now);
	page->status = why;
	end(page, MAPPING_SELF);
	end(page, MAPPING_SCHED);
}

struct mapping *mapping_get(u64 valid, bool exact)
{
	struct mapping *fresh = mapping_alloc(valid, exact), *m = NULL;
	unsigned long flags;
	struct thread *t;

	if (!fresh)
		return ERR_PTR(-ENOMEM);
	raw_spin_lock_irqsave(&watch_lock, flags);
	t = process_thread(current);
	if (t) {
		if (!t->mapping) {
			attach(fresh, t);
			fresh = NULL;
		}
		m = t->mapping;
		m->maps++;
		/* All who have it mapped see the same page. */
		m->exact &= exact;
	}
	raw_spin_unlock_irqrestore(&watch_lock, flags);
	if (fresh)
		free_rcu(&fresh->rcu);
	return m ?: ERR_PTR(-ENODATA);
}

void mapping_open(struct mapping *m)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&watch_lock, flags);
	m->maps++;
	raw_spin_unlock_irqrestore(&watch_lock, flags);
}

void mapping_close(struct mapping *m)
{
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&watch_lock, flags);
	last = !--m->maps;
	if (last) {
		if (m->thread)
			detach(m);
		list_del(&m->node);
		nr_mappings--;
	}
	raw_spin_unlock_irqrestore(&watch_lock, flags);
	/* A hook may still be writing. */
	if (last)
		call_rcu(&m->rcu, free_rcu);
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
	raw_spin_lock_irqsave(&watch_lock, flags);
	m = t->mapping;
	if (m) {
		detach(m);
		settle(m->page, why);
	}
	raw_spin_unlock_irqrestore(&watch_lock, flags);
}

static void detach_inexact(void)
{
	unsigned long flags;
	struct mapping *m;

	raw_spin_lock_irqsave(&watch_lock, flags);
	list_for_each_entry(m, &mappings, node)
		if (!m->exact && m->thread)
			detach(m);
	raw_spin_unlock_irqrestore(&watch_lock, flags);
}

void mapping_revoke(void)
{
	unsigned long flags;
	struct mapping *m;

	detach_inexact();
	/* Hooks that ran are over. */
	synchronize_rcu();
	raw_spin_lock_irqsave(&watch_lock, flags);
	list_for_each_entry(m, &mappings, node)
		if (!m->exact && !m->thread)
			settle(m->page, TASKRT_PAGE_REVOKED);
	raw_spin_unlock_irqrestore(&watch_lock, flags);
}

u32 mapping_count(void)
{
	return READ_ONCE(nr_mappings);
}

u64 mapping_memory(void)
{
	return mapping_count() * (u64)(MEMORY_SIZE + sizeof(struct mapping));
}

static_assert(sizeof(struct taskrt_page) <= TASKRT_PAGE_SIZE);
static_assert(sizeof(struct taskrt_totals) == 248);
static_assert(offsetof(struct taskrt_page, status) == 96);
static_assert(offsetof(struct taskrt_page, mapped_since_ns) == 104);
static_assert(offsetof(struct taskrt_page, changes) == 128);
static_assert(offsetof(struct taskrt_page, totals) == 192);
static_assert(offsetof(struct taskrt_page, longest) == 448);
static_assert(offsetof(struct taskrt_page, intervals) == 672);
static_assert(sizeof(struct taskrt_page) == 6496);
