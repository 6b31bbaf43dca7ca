/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has a thread's counters mapped, and for how long (user_page.h says what is
 * mapped).
 *
 * A page is one thread's from when it is mapped until the last mapping is gone,
 * also when the thread has ended before: it is never another's.  The hooks write
 * to it as long as thread->mapping leads there.
 */
#ifndef TASKRT_MAPPING_H
#define TASKRT_MAPPING_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/taskrt_page.h>
#include "task/thread.h"

struct user_page;

struct mapping {
	struct user_page *page;		/* whole pages */
	struct thread *thread;		/* NULL: it does not change any more; under observer_lock */
	unsigned int maps;		/* areas of memory that show it; under observer_lock */
	bool exact;			/* its reader may see exact times anyway */
	struct list_head node;		/* of all; under observer_lock */
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

/* Freeze the pages whose readers may no longer see exact times.  May sleep. */
void mapping_revoke(void);

u32 mapping_count(void);
u64 mapping_memory(void);

#endif /* TASKRT_MAPPING_H */
