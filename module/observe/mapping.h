/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lifetime of a thread's mapped counters.  For their contents see user_page.h.
 *
 * The pages belong to one thread from the first mmap() until the last area is
 * unmapped, even if the thread exits before.  They never belong to another
 * thread.  Hooks write to them as long as thread->mapping points to the mapping.
 */
#ifndef TASKRT_MAPPING_H
#define TASKRT_MAPPING_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/taskrt_page.h>
#include "observe/waker.h"
#include "task/thread.h"

struct quota;
struct observer_bucket;
struct user_page;

struct mapping {
	struct user_page *page;		/* a whole number of pages */
	struct quota *quota;		/* of who has mapped it first */
	struct observer_bucket *bucket;	/* of its task; its lock protects the following */
	struct thread *thread;		/* NULL: detached, it is final */
	unsigned int maps;		/* memory areas that show it */
	bool exact;			/* all its readers may see exact times */
	struct waker_early waker;	/* of a hook, under the lock of the task */
	struct list_head node;		/* in the bucket's list */
	struct rcu_head rcu;
};

/*
 * mapping_get() - get the mapping of the current thread, or create it
 * @measured: what the pages can show
 * @exact: the caller may see exact times, whatever coarse_ns is
 *
 * The mapping counts one more memory area; mapping_close() undoes that.
 * Context: may sleep; accounting is held on.
 * Return: the mapping, or an ERR_PTR: -ENODATA if the thread is not tracked; -EUSERS if
 * the user has too many mappings; -ENOMEM.
 */
struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact);

/* Add or remove one memory area that shows the mapping.  With the last one it is freed. */
void mapping_open(struct mapping *m);
void mapping_close(struct mapping *m);

/* The size of a mapping in bytes, a multiple of PAGE_SIZE. */
size_t mapping_size(void);

/* The page with this index in the mapping.  No reference is taken. */
struct page *mapping_page(const struct mapping *m, unsigned int index);

/*
 * mapping_end() - the thread's pages, if it has any, say that it has ended
 *
 * Context: no hook of this thread is running: it is the current thread, or its task
 * was freed, or all hooks are detached.
 */
void mapping_end(struct thread *t);

/* Freeze the pages whose readers may no longer see exact times.  May sleep. */
void mapping_revoke(void);

/*
 * mapping_stop() - freeze all pages: accounting is about to be switched off
 *
 * The first of its hooks is still attached.  Without one of them the others may write what
 * is not so, such as a sleep that is over.
 * Context: may sleep.  No mapping is made meanwhile: accounting is held.
 */
void mapping_stop(void);

u32 mapping_count(void);
u64 mapping_memory(void);

#endif /* TASKRT_MAPPING_H */
