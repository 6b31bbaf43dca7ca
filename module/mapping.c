// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/taskrt_numbers.h>
#include <linux/time_namespace.h>
#include <linux/user_namespace.h>
#include "clock.h"
#include "compat.h"
#include "intervals.h"
#include "mapping.h"
#include "process.h"
#include "values.h"
#include "watch.h"

/*
 * What is mapped: the fixed part, and what its table leads to.  A reader of the times
 * knows only where those are.
 */
struct mapping_memory {
	struct taskrt_page page;
	__u64 timers_since[TASKRT_TIMERS_ROOM];
	struct taskrt_counts counts;
	struct taskrt_intervals states[NR_STATES];
	struct taskrt_intervals timers[NR_TIMERS];
};

static_assert(offsetof(struct mapping_memory, timers_since) == TASKRT_PAGE_SIZE);

#define MEMORY_SIZE	PAGE_ALIGN(sizeof(struct mapping_memory))

static LIST_HEAD(mappings);		/* under watch_lock, as is what follows */
static u32 nr_mappings;

static void begin(struct taskrt_page *page, enum mapping_part part)
{
	shared_count(&page->changes[part]);
	smp_wmb();	/* odd before the first change; pairs with a reader in user space */
}

static void end(struct taskrt_page *page, enum mapping_part part)
{
	smp_wmb();	/* even after the last change; as above */
	shared_count(&page->changes[part]);
}

u64 mapping_begin(struct mapping *m, enum mapping_part part)
{
	begin(&m->memory->page, part);
	smp_mb();	/* odd before the clock is read; pairs with a reader that read its own */
	return clock_now();
}

static void set_longest(struct taskrt_longest *to, const struct record_longest *from)
{
	to->ns = from->ns;
	to->at_ns = from->at;
}

/* An interval that will not finish. */
static void settle_longest(struct taskrt_longest *longest, u64 ns, u64 at)
{
	if (ns <= longest->ns)
		return;
	longest->ns = ns;
	longest->at_ns = at;
}

static void settle_timers(struct mapping_memory *memory, u64 now)
{
	struct taskrt_page *page = &memory->page;
	int i;

	for (i = 0; i < NR_TIMERS; i++) {
		const u64 since = memory->timers_since[i], ns = record_elapsed(since, now);

		if (!(page->in_progress & (1U << i)))
			continue;
		page->times.timers_ns[i] += ns;
		settle_longest(&memory->timers[i].longest, ns, since);
		if (i == TASKRT_TIMER_LOCK)
			page->times.locks_ns[page->lock] += ns;
	}
	page->in_progress = 0;
}

/* It is dead: it does nothing itself any more, and what it was in the middle of is over. */
static noinline void set_ended(struct mapping_memory *memory, u64 at)
{
	struct taskrt_page *page = &memory->page;

	begin(page, MAPPING_SELF);
	settle_timers(memory, at);
	page->status = TASKRT_PAGE_ENDED;
	end(page, MAPPING_SELF);
}

static void set_present(struct mapping_memory *memory, const struct record *r, u8 state)
{
	memory->page.state = state;
	memory->page.since_ns = r->since;
	if (state == TASKRT_STATE_EXITED)
		set_ended(memory, r->since);
}

static void set_state(struct mapping_memory *memory, const struct record *r, u8 state)
{
	const struct record_time *time = &r->states[state];

	memory->page.times.states_ns[state] = time->ns;
	memory->counts.states[state] = time->count;
	set_longest(&memory->states[state].longest, &time->longest);
}

static void set_wakeups(struct mapping_memory *memory, const struct record *r)
{
	memory->counts.values[TASKRT_VALUE_WAKEUPS] = record_wakeups(r);
}

/* What is not measured stays 0: a state is if any is, or is never entered. */
static void set_left(struct mapping_memory *memory, const struct record *r, u8 left, u64 since)
{
	if (!memory->page.measured.states)
		return;
	set_state(memory, r, left);
	if (r->since != since)
		intervals_add(&memory->states[left], r->since - since, since);
}

void mapping_sched(struct mapping *m, const struct thread *t, u8 left, u64 since)
{
	struct mapping_memory *memory = m->memory;
	const struct record *r = &t->record;
	const u8 present = record_present(r);

	set_left(memory, r, left, since);
	if (present == TASKRT_STATE_WOKEN && memory->page.measured.states)
		set_wakeups(memory, r);
	set_present(memory, r, present);
	/* The kernel has counted it by now. */
	if (left == TASKRT_STATE_RUNNING)
		values_of_switch(memory->counts.values, t->task);
	end(&memory->page, MAPPING_SCHED);
}

static void set_fault_values(struct mapping_memory *memory, const struct thread *t)
{
	const struct record *r = &t->record;
	u64 *values = memory->counts.values;

	values_of_fault(values, t->task);
	values[TASKRT_VALUE_MINOR_FAULT_NS] = record_minor_fault_ns(r);
	values[TASKRT_VALUE_MAJOR_FAULT_NS] = r->values[TASKRT_VALUE_MAJOR_FAULT_NS];
}

static void set_locks(struct mapping_memory *memory, const struct record *r)
{
	int i;

	memory->page.lock = r->lock_kind;
	for (i = 0; i < NR_LOCKS; i++) {
		memory->page.times.locks_ns[i] = r->locks[i].ns;
		memory->counts.locks[i] = r->locks[i].count;
	}
}

/* Return: is it measured? */
static bool set_timer(struct mapping_memory *memory, const struct thread *t,
		      enum taskrt_timer timer)
{
	const struct record *r = &t->record;
	struct taskrt_page *page = &memory->page;
	const u32 bit = 1U << timer;

	if (!(page->measured.timers & bit))
		return false;
	page->in_progress = (page->in_progress & ~bit) | (record_in_progress(r) & bit);
	memory->timers_since[timer] = r->timers_since[timer];
	page->times.timers_ns[timer] = r->timers[timer].ns;
	memory->counts.timers[timer] = r->timers[timer].count;
	set_longest(&memory->timers[timer].longest, &r->timers[timer].longest);
	if (timer == TASKRT_TIMER_LOCK)
		set_locks(memory, r);
	return true;
}

void mapping_timer(struct mapping *m, const struct thread *t, enum taskrt_timer timer, u64 ns)
{
	struct mapping_memory *memory = m->memory;

	if (timer == TASKRT_TIMER_FAULT)
		set_fault_values(memory, t);
	if (set_timer(memory, t, timer) && ns)
		intervals_add(&memory->timers[timer], ns, t->record.timers_since[timer]);
	end(&memory->page, MAPPING_SELF);
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
static void set_all(struct mapping_memory *memory, const struct thread *t)
{
	struct taskrt_page *page = &memory->page;
	const struct record *r = &t->record;
	int i;

	page->mapped_since_ns = clock_now();
	page->tracked_since_ns = r->tracked_since;
	page->cpu_before_ns = t->cpu_before_ns;
	page->queue_before_ns = t->queue_before_ns;
	if (t->late)
		page->flags |= TASKRT_FLAG_PREEXISTING;
	if (page->measured.states) {
		for (i = 0; i < NR_STATES; i++)
			set_state(memory, r, i);
		set_wakeups(memory, r);
	}
	for (i = 0; i < NR_TIMERS; i++)
		set_timer(memory, t, i);
	if (page->measured.values & VALUES_OF_SWITCH)
		values_of_switch(memory->counts.values, t->task);
	if (page->measured.values & VALUES_OF_FAULT)
		set_fault_values(memory, t);
	set_present(memory, r, record_state(r));
}

static void free_rcu(struct rcu_head *rcu)
{
	struct mapping *m = container_of(rcu, struct mapping, rcu);

	free_pages_exact(m->memory, MEMORY_SIZE);
	kfree(m);
}

static struct taskrt_page_array array_at(size_t offset, size_t size, u32 nr)
{
	return (struct taskrt_page_array){ .offset = offset, .stride = size / nr, .nr = nr };
}

#define ARRAY_AT(member, nr) \
	array_at(offsetof(struct mapping_memory, member), \
		 sizeof_field(struct mapping_memory, member), nr)

/* Where everything is. */
static void set_table(struct taskrt_page *page)
{
	int i;

	page->version = TASKRT_PAGE_VERSION;
	page->size = sizeof(*page);
	page->map_size = MEMORY_SIZE;
	page->timers_since = ARRAY_AT(timers_since, TASKRT_TIMERS_ROOM);
	page->counts = ARRAY_AT(counts, 1);
	page->state_intervals = ARRAY_AT(states, NR_STATES);
	page->timer_intervals = ARRAY_AT(timers, NR_TIMERS);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		page->parent[i] = taskrt_state_parent(i);
}

static struct mapping *mapping_alloc(const struct taskrt_measured *measured, bool exact)
{
	struct mapping *m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);

	if (!m)
		return NULL;
	m->memory = alloc_pages_exact(MEMORY_SIZE, COMPAT_GFP_MAPPED | __GFP_ZERO);
	if (!m->memory) {
		kfree(m);
		return NULL;
	}
	set_table(&m->memory->page);
	m->memory->page.measured = *measured;
	m->exact = exact;
	set_identity(&m->memory->page);
	return m;
}

/* Under watch_lock, which keeps interrupts off: the current thread stays what it is. */
static void attach(struct mapping *m, struct thread *t)
{
	set_all(m->memory, t);
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

static void settle_state(struct mapping_memory *memory, u64 now)
{
	struct taskrt_page *page = &memory->page;
	const u64 ns = record_elapsed(page->since_ns, now);

	if (page->measured.states) {
		page->times.states_ns[page->state] += ns;
		settle_longest(&memory->states[page->state].longest, ns, page->since_ns);
	}
	page->since_ns += ns;
	page->state = TASKRT_STATE_EXITED;
}

/*
 * These are its last values: as of now, so that nobody was told of more before.
 * No hook writes to it any more.
 */
static void settle(struct mapping_memory *memory, enum taskrt_page_status why)
{
	struct taskrt_page *page = &memory->page;
	u64 now;

	if (page->status != TASKRT_PAGE_LIVE)
		return;
	begin(page, MAPPING_SCHED);
	begin(page, MAPPING_SELF);
	smp_mb();	/* odd before the clock is read, as in mapping_begin() */
	now = clock_now();
	settle_state(memory, now);
	settle_timers(memory, now);
	page->status = why;
	end(page, MAPPING_SELF);
	end(page, MAPPING_SCHED);
}

struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact)
{
	struct mapping *fresh = mapping_alloc(measured, exact), *m = NULL;
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

size_t mapping_size(void)
{
	return MEMORY_SIZE;
}

struct page *mapping_page(const struct mapping *m, unsigned int index)
{
	return virt_to_page((void *)m->memory + index * PAGE_SIZE);
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
		settle(m->memory, why);
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
			settle(m->memory, TASKRT_PAGE_REVOKED);
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
