/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is mapped: a thread's counters in the memory of its own process (struct
 * taskrt_page), and how they follow its record.
 */
#ifndef TASKRT_USER_PAGE_H
#define TASKRT_USER_PAGE_H

#include <linux/taskrt_page.h>
#include "task/thread.h"

struct user_page;

/* Of the current thread, as its own process sees it.  May sleep. */
struct user_page *user_page_alloc(const struct taskrt_measured *measured);
void user_page_free(struct user_page *up);

/* So much of it there is to map: whole pages. */
size_t user_page_bytes(void);

/* All of the current thread's record; no hook of it runs. */
void user_page_fill(struct user_page *up, const struct thread *t);

/*
 * Hooks, with preemption off.  A change begins before the clock is read by which
 * the record changes: a reader that has read its own clock later sees that.
 * Return: the time.
 */
enum user_page_part {
	USER_PAGE_SCHED,		/* under the runqueue lock */
	USER_PAGE_SELF,			/* by the thread itself */
};

u64 user_page_begin(struct user_page *up, enum user_page_part part);

/*
 * The change is over: the page now says what the thread's record says.  @left is the
 * state that was left, and @since when it began; @ns the length of what has just
 * ended, or 0.
 */
void user_page_sched(struct user_page *up, const struct thread *t, u8 left, u64 since);
void user_page_timer(struct user_page *up, const struct thread *t, enum taskrt_timer timer, u64 ns);

/*
 * user_page_settle() - these are its last values, for the reason @why
 * They are as of now, so that nobody was told of more before.  No hook writes to
 * it any more.
 */
void user_page_settle(struct user_page *up, enum taskrt_page_status why);

#endif /* TASKRT_USER_PAGE_H */
