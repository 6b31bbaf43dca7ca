/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of the mapped pages: a thread's counters, for its own process (struct
 * taskrt_page), and how they are updated from its record.
 */
#ifndef TASKRT_USER_PAGE_H
#define TASKRT_USER_PAGE_H

#include <linux/taskrt_page.h>
#include "task/thread.h"

struct user_page;

/*
 * user_page_alloc() - allocate the pages, and fill in the current thread's identity
 *
 * Context: may sleep.
 * Return: the pages, or NULL.
 */
struct user_page *user_page_alloc(const struct taskrt_measured *measured);
void user_page_free(struct user_page *up);

/* The size in bytes, a multiple of PAGE_SIZE. */
size_t user_page_bytes(void);

/* Copies all of the current thread's record.  No hook of this thread runs. */
void user_page_fill(struct user_page *up, const struct thread *t);

/* The parts of the page, each with a count of its own. */
enum user_page_part {
	USER_PAGE_SCHED,		/* under the runqueue lock, or by an interrupt */
	USER_PAGE_SELF,			/* by the thread itself */
};

/*
 * user_page_begin() - begin a change, and then read the clock for it
 *
 * The count is odd before the clock is read.  Therefore a reader whose own clock is
 * later sees the odd count.
 * Context: a hook, with preemption off.
 * Return: the time of the change.
 */
u64 user_page_begin(struct user_page *up, enum user_page_part part);

/*
 * user_page_woken(), user_page_switched_in(), user_page_switched_out(),
 * user_page_timer() - copy what has changed, and end the change
 * @left: the state that was left
 * @since: when that state began
 * @expiry: see record_wake_expired()
 * @ns: the length of the interval that has just ended, or 0
 *
 * Context: as user_page_begin(), which has begun the change.
 */
void user_page_woken(struct user_page *up, const struct thread *t, u8 left, u64 since,
		     u64 expiry);
void user_page_switched_in(struct user_page *up, const struct thread *t, u8 left, u64 since);
void user_page_switched_out(struct user_page *up, const struct thread *t, u8 left, u64 since);
void user_page_timer(struct user_page *up, const struct thread *t, unsigned int timer, u64 ns);

/*
 * user_page_interrupt() - copy the timer of an interrupt that has just ended
 * @ns: its length
 * @at: when it began
 *
 * It begins and ends the change.
 * Context: a hook, with interrupts off.
 */
void user_page_interrupt(struct user_page *up, const struct thread *t, unsigned int timer,
			 u64 ns, u64 at);

/*
 * user_page_settle() - write the final values
 * @why: the status that the page will show
 *
 * The final values are as of now, so that they are not less than what a reader has
 * computed before.  No hook writes to the page any more.
 */
void user_page_settle(struct user_page *up, enum taskrt_page_status why);

#endif /* TASKRT_USER_PAGE_H */
