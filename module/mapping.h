/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread's counters in the memory of its own process (struct taskrt_page).
 *
 * The memory is one thread's from when it is mapped until the last mapping is
 * gone, also when the thread has ended before: it is never another's.  The
 * hooks write to it as long as thread->mapping leads there.
 */
#ifndef TASKRT_MAPPING_H
#define TASKRT_MAPPING_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/taskrt_page.h>
#include "thread.h"

struct mapping_memory;

struct mapping {
	struct mapping_memory *memory;	/* whole pages */
	struct thread *thread;		/* NULL: it does not change any more; under watch_lock */
	unsigned int maps;		/* areas of memory that show it; under watch_lock */
	bool exact;			/* its reader may see exact times anyway */
	struct list_head node;		/* of all; under watch_lock */
	struct rcu_head rcu;
};

/*
 * mapping_get() - the current thread's, made if there is none
 * It counts as mapped once.  Accounting is held on.  May sleep.
 * Return: an ERR_PTR: -ENODATA: the thread is not tracked; -ENOMEM.
 */
struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact);

/* One area of memory more that shows it, or less: with the last one it is let go. */
void mapping_open(struct mapping *m);
void mapping_close(struct mapping *m);

/* So much of it there is to map. */
size_t mapping_size(void);

/* The page that stands at this place in it, with no reference. */
struct page *mapping_page(const struct mapping *m, unsigned int index);

/*
 * The thread's page, if it has one, does not change any more, for this reason.
 * No hook of it runs: it is the current one, or gone, or they are all off.
 */
void mapping_end(struct thread *t, enum taskrt_page_status why);

/* Whoever may not see exact times: nothing any more.  May sleep. */
void mapping_revoke(void);

/*
 * Hooks, with preemption off.  A change begins before the clock is read by which
 * the record changes: whoever has read its own clock later sees that.
 * Return: the time.
 */
enum mapping_part {
	MAPPING_SCHED,			/* under the runqueue lock */
	MAPPING_SELF,			/* by the thread itself */
};

u64 mapping_begin(struct mapping *m, enum mapping_part part);

/*
 * The change is over: the page now says what the thread's record says.  The
 * state that was left and since when it was; the length of what has just ended, or 0.
 */
void mapping_sched(struct mapping *m, const struct thread *t, u8 left, u64 since);
void mapping_timer(struct mapping *m, const struct thread *t, enum taskrt_timer timer, u64 ns);

u32 mapping_count(void);
u64 mapping_memory(void);

#endif /* TASKRT_MAPPING_H */
