// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/taskrt_numbers.h>
#include <linux/time_namespace.h>
#include <linux/user_namespace.h>
#include "compat/clock.h"
#include "compat/compat.h"
#include "observe/user_page.h"
#include "task/counters.h"

#define USER_PAGE_BYTES	PAGE_ALIGN(sizeof(struct user_page))

/* An interval that will not finish may be the longest one. */
static void user_page_settle_longest(struct taskrt_longest *longest, u64 ns, u64 at)
{
	if (ns <= longest->ns)
		return;
	longest->ns = ns;
	longest->at_ns = at;
}

static void user_page_settle_timers(struct user_page *up, u64 now)
{
	struct taskrt_page *page = &up->page;
	int i;

	for (i = 0; i < NR_OWN_TIMERS; i++) {
		const u64 since = up->timers_since[i], ns = record_elapsed(since, now);

		if (!(page->in_progress & (1U << i)))
			continue;
		page->times.timers_ns[i] += ns;
		user_page_settle_longest(&up->timers[i].longest, ns, since);
		if (i == TASKRT_TIMER_LOCK)
			page->times.locks_ns[page->lock] += ns;
	}
	page->in_progress = 0;
}

void user_page_set_closed(struct user_page *up, u64 at)
{
	struct taskrt_page *page = &up->page;

	user_page_change_begin(up, USER_PAGE_SELF);
	user_page_settle_timers(up, at);
	page->status = TASKRT_PAGE_ENDED;
	user_page_change_end(up, USER_PAGE_SELF);
}

static void user_page_set_longest(struct taskrt_longest *to, const struct record_longest *from)
{
	to->ns = from->ns;
	to->at_ns = from->at;
}

static void user_page_set_state(struct user_page *up, const struct record *r, u8 state)
{
	const struct record_time *time = &r->states[state];

	up->page.times.states_ns[state] = time->ns;
	up->counts.states[state] = time->count;
	user_page_set_longest(&up->states[state].longest, &time->longest);
}

/* @minor, @major: faults that the kernel counts after this, unless they fail. */
static void user_page_set_fault_values(struct user_page *up, const struct thread *t,
				       unsigned int minor, unsigned int major)
{
	const struct record *r = &t->record;
	u64 *values = up->counts.values;
	const u64 minor_before = values[TASKRT_VALUE_MINOR_FAULTS];
	const u64 major_before = values[TASKRT_VALUE_MAJOR_FAULTS];

	counters_of_fault(values, t->task);
	values[TASKRT_VALUE_MINOR_FAULTS] = max(values[TASKRT_VALUE_MINOR_FAULTS] + minor,
						minor_before);
	values[TASKRT_VALUE_MAJOR_FAULTS] = max(values[TASKRT_VALUE_MAJOR_FAULTS] + major,
						major_before);
	values[TASKRT_VALUE_MINOR_FAULT_NS] = record_minor_fault_ns(r);
	values[TASKRT_VALUE_MAJOR_FAULT_NS] = r->major_fault_ns;
}

static void user_page_set_locks(struct user_page *up, const struct record *r)
{
	int i;

	up->page.lock = r->lock_kind;
	for (i = 0; i < NR_LOCKS; i++) {
		up->page.times.locks_ns[i] = r->locks[i].ns;
		up->counts.locks[i] = r->locks[i].count;
	}
}

static void user_page_set_in_progress(struct user_page *up, const struct record *r,
				      unsigned int timer)
{
	const u32 bit = 1U << timer;

	up->page.in_progress = (up->page.in_progress & ~bit) | (record_in_progress(r) & bit);
	up->timers_since[timer] = r->timers_since[timer];
}

/* Return: true if the timer is measured. */
static bool user_page_set_timer(struct user_page *up, const struct record *r, unsigned int timer)
{
	const unsigned int number = record_timer_number(timer);
	const struct record_time *time = &r->timers[timer];
	struct taskrt_page *page = &up->page;

	if (!(page->measured.timers & (1U << number)))
		return false;
	if ((int)timer < NR_OWN_TIMERS)
		user_page_set_in_progress(up, r, timer);
	page->times.timers_ns[number] = time->ns;
	up->counts.timers[number] = time->count;
	user_page_set_longest(&up->timers[number].longest, &time->longest);
	if (timer == TASKRT_TIMER_LOCK)
		user_page_set_locks(up, r);
	return true;
}

static void user_page_set_fault_cpu(struct user_page *up, const struct record *r)
{
	if (!(up->page.measured.timers & (1U << TASKRT_TIMER_FAULT_CPU)))
		return;
	up->page.times.timers_ns[TASKRT_TIMER_FAULT_CPU] = record_fault_cpu_ns(r);
	up->counts.timers[TASKRT_TIMER_FAULT_CPU] = r->timers[TASKRT_TIMER_FAULT].count;
}

void user_page_set_expiry(struct user_page *up, const struct record *r, u64 since)
{
	const u64 ns = record_elapsed(since, r->since);

	if (user_page_set_timer(up, r, RECORD_EXPIRY) && ns)
		intervals_add(&up->timers[TASKRT_TIMER_EXPIRY], ns, since);
}

void user_page_clear_held(struct user_page *up)
{
	memset(up->held_states, 0, sizeof(up->held_states));
	up->page.held = 0;
}

void user_page_timer(struct user_page *up, const struct thread *t, unsigned int timer, u64 ns)
{
	if (user_page_set_timer(up, &t->record, timer) && ns)
		intervals_add(&up->timers[timer], ns, t->record.timers_since[timer]);
	user_page_change_end(up, USER_PAGE_SELF);
}

void user_page_fault(struct user_page *up, const struct thread *t, u64 ns, unsigned int minor,
		     unsigned int major)
{
	user_page_set_fault_values(up, t, minor, major);
	user_page_set_fault_cpu(up, &t->record);
	user_page_timer(up, t, TASKRT_TIMER_FAULT, ns);
}

void user_page_interrupt(struct user_page *up, const struct thread *t, unsigned int timer,
			 u64 ns, u64 at)
{
	user_page_change_begin(up, USER_PAGE_SCHED);
	/* Stolen time is known to be measured only when the kernel has reported some. */
	if (timer == TASKRT_TIMER_STEAL)
		up->page.measured.timers |= 1U << TASKRT_TIMER_STEAL;
	if (user_page_set_timer(up, &t->record, timer) && ns)
		intervals_add(&up->timers[record_timer_number(timer)], ns, at);
	user_page_change_end(up, USER_PAGE_SCHED);
}

/* The identity of the current thread, in its own namespaces. */
static void user_page_set_identity(struct taskrt_page *page)
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

void user_page_fill(struct user_page *up, const struct thread *t)
{
	struct taskrt_page *page = &up->page;
	const struct record *r = &t->record;
	int i;

	page->mapped_since_ns = clock_now();
	page->tracked_since_ns = r->tracked_since;
	page->cpu_before_ns = t->cpu_before_ns;
	page->queue_before_ns = t->queue_before_ns;
	if (t->preexisting)
		page->flags |= TASKRT_FLAG_PREEXISTING;
	if (page->measured.states) {
		for (i = 0; i < NR_STATES; i++)
			user_page_set_state(up, r, i);
		up->counts.values[TASKRT_VALUE_WAKEUPS] = record_wakeups(r);
	}
	for (i = 0; i < NR_RECORD_TIMERS; i++)
		user_page_set_timer(up, r, i);
	user_page_set_fault_cpu(up, r);
	if (page->measured.values & VALUES_OF_SWITCH)
		counters_of_switch(up->counts.values, t->task);
	if (page->measured.values & VALUES_OF_FAULT)
		user_page_set_fault_values(up, t, 0, 0);
	user_page_set_present(up, record_state(r), r->since);
}

static struct taskrt_page_array user_page_array_at(size_t offset, size_t size, u32 nr)
{
	return (struct taskrt_page_array){ .offset = offset, .stride = size / nr, .nr = nr };
}

#define ARRAY_AT(member, nr) \
	user_page_array_at(offsetof(struct user_page, member), \
			   sizeof_field(struct user_page, member), nr)

static void user_page_set_table(struct taskrt_page *page)
{
	int i;

	page->version = TASKRT_PAGE_VERSION;
	page->size = sizeof(*page);
	page->map_size = USER_PAGE_BYTES;
	page->timers_since = ARRAY_AT(timers_since, NR_TIMERS_SINCE);
	page->counts = ARRAY_AT(counts, 1);
	page->state_intervals = ARRAY_AT(states, NR_STATES);
	page->timer_intervals = ARRAY_AT(timers, ELEMENTS(MEASURED_TIMERS));
	page->held_states = ARRAY_AT(held_states, NR_STATES);
	page->waker = ARRAY_AT(waker, 1);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		page->parent[i] = taskrt_state_parent(i);
}

static void user_page_settle_state(struct user_page *up, u64 now)
{
	struct taskrt_page *page = &up->page;
	const u64 ns = record_elapsed(page->since_ns, now);

	if (page->measured.states) {
		page->times.states_ns[page->state] += ns;
		user_page_settle_longest(&up->states[page->state].longest, ns, page->since_ns);
	}
	page->since_ns += ns;
	page->state = TASKRT_STATE_EXITED;
}

void user_page_settle(struct user_page *up, enum taskrt_page_status why)
{
	struct taskrt_page *page = &up->page;
	u64 now;

	if (page->status != TASKRT_PAGE_LIVE)
		return;
	user_page_change_begin(up, USER_PAGE_SCHED);
	user_page_change_begin(up, USER_PAGE_SELF);
	smp_mb();	/* odd before the clock is read, as in dispatch_clock() */
	now = clock_now();
	user_page_settle_state(up, now);
	user_page_settle_timers(up, now);
	page->status = why;
	user_page_change_end(up, USER_PAGE_SELF);
	user_page_change_end(up, USER_PAGE_SCHED);
}

struct user_page *user_page_alloc(const struct taskrt_measured *measured)
{
	struct user_page *up = alloc_pages_exact(USER_PAGE_BYTES, COMPAT_GFP_MAPPED | __GFP_ZERO);

	if (!up)
		return NULL;
	user_page_set_table(&up->page);
	up->page.measured = *measured;
	user_page_set_identity(&up->page);
	return up;
}

void user_page_free(struct user_page *up)
{
	free_pages_exact(up, USER_PAGE_BYTES);
}

size_t user_page_bytes(void)
{
	return USER_PAGE_BYTES;
}
