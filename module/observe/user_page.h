/* SPDX-License-Identifier: GPL-2.0-only */
/* The mapped pages of a thread, for its own process, and their updates from its record. */
#ifndef TASKRT_USER_PAGE_H
#define TASKRT_USER_PAGE_H

#include <linux/taskrt_page.h>
#include "engine/intervals.h"
#include "task/thread.h"

#define NR_TIMERS_SINCE	8	/* a cache line; NR_OWN_TIMERS are in use */

/* The mapped memory: struct taskrt_page, and the arrays that a reader finds by its offsets. */
struct user_page {
	struct taskrt_page page;
	__u64 timers_since[NR_TIMERS_SINCE];
	struct taskrt_counts counts;
	struct taskrt_intervals states[NR_STATES];
	struct taskrt_intervals timers[ELEMENTS(MEASURED_TIMERS)];
	__u64 held_states[NR_STATES];
	struct taskrt_waker waker;
};

static_assert(offsetof(struct user_page, timers_since) == TASKRT_PAGE_SIZE);

/* The pages, with the identity of the current thread; or NULL.  May sleep. */
struct user_page *user_page_alloc(const struct taskrt_measured *measured);
void user_page_free(struct user_page *up);

/* In bytes, a multiple of PAGE_SIZE. */
size_t user_page_bytes(void);

/* Copy all of the current thread's record.  Context: no hook of this thread runs. */
void user_page_fill(struct user_page *up, const struct thread *t);

/* The parts of the page, each with a count of its own. */
enum user_page_part {
	USER_PAGE_SCHED,		/* under the runqueue lock, or with interrupts off */
	USER_PAGE_SELF,			/* by the thread itself */
};

/*
 * user_page_change_begin() - start a change
 *
 * If readers will see the time of the change, the caller calls smp_mb() before it reads the clock.
 * So a reader whose clock is later sees the odd count.
 */
static __always_inline void user_page_change_begin(struct user_page *up,
						   enum user_page_part part)
{
	shared_count(&up->page.changes[part]);
	smp_wmb();	/* odd before the first change; pairs with the reader in user space */
}

static __always_inline void user_page_change_end(struct user_page *up, enum user_page_part part)
{
	smp_wmb();	/* even after the last change; as above */
	shared_count(&up->page.changes[part]);
}

static __always_inline void user_page_set_present(struct user_page *up, u8 state, u64 since)
{
	up->page.state = state;
	up->page.since_ns = since;
}

/* Copy a timer, add its finished interval @ns, if any, and end the change.  Preemption is off. */
void user_page_timer(struct user_page *up, const struct thread *t, unsigned int timer, u64 ns);

/* user_page_timer() for faults.  @minor, @major: faults that the kernel is about to count. */
void user_page_fault(struct user_page *up, const struct thread *t, u64 ns, unsigned int minor,
		     unsigned int major);

/* Copy an engine timer and add its interval from @at on: a whole change.  Interrupts are off. */
void user_page_interrupt(struct user_page *up, const struct thread *t, unsigned int timer,
			 u64 ns, u64 at);

/* The rare parts of user_page_sched.h. */
void user_page_set_expiry(struct user_page *up, const struct record *r, u64 since);
void user_page_clear_held(struct user_page *up);

/* The record is closed: its timers in progress end. */
void user_page_set_closed(struct user_page *up, u64 at);

/*
 * user_page_settle() - write the final values
 * @why: the status that the page will show
 *
 * The values are as of now, so they are not less than what a reader has computed before.
 * Context: hooks no longer write to the page.
 */
void user_page_settle(struct user_page *up, enum taskrt_page_status why);

#endif /* TASKRT_USER_PAGE_H */
