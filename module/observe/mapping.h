/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread's mapped counters, from the first mmap() until the last area is unmapped, even if the
 * thread ends before.  The pages never belong to another thread.  Hooks write to them as long as
 * thread->mapping points to the mapping.  For the contents see user_page.h.
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
	struct quota *quota;		/* of the user that mapped it first */
	struct observer_bucket *bucket;	/* of the task; its lock protects what follows */
	struct thread *thread;		/* NULL: detached, the pages are final */
	unsigned int maps;		/* memory areas that show it */
	bool exact;			/* all its readers may see exact times */
	struct waker_early waker;	/* written by hooks, under the lock of the task */
	struct list_head node;		/* in the bucket's list */
	struct rcu_head rcu;
};

/*
 * mapping_get() - get or create the current thread's mapping, for one more memory area
 * @measured: what the pages can show
 * @exact: the caller may see exact times, whatever coarse_ns is
 *
 * Context: may sleep; accounting is held on.
 * Return: the mapping, for mapping_close(); or an ERR_PTR: -ENODATA: the thread is not tracked;
 * -ENOMEM; or as quota_charge().
 */
struct mapping *mapping_get(const struct taskrt_measured *measured, bool exact);

/* Add or remove a memory area.  Without areas the mapping is freed. */
void mapping_open(struct mapping *m);
void mapping_close(struct mapping *m);

/* In bytes, a multiple of PAGE_SIZE. */
size_t mapping_size(void);

/* Takes no reference to the page. */
struct page *mapping_page(const struct mapping *m, unsigned int index);

/* Make the pages, if any, say that the thread has ended.  Context: no other hook of it runs. */
void mapping_end(struct thread *t);

/* Freeze the pages whose readers may no longer see exact times.  May sleep. */
void mapping_revoke(void);

/*
 * mapping_stop() - freeze all pages, before the first hook is detached
 *
 * With only some hooks attached, a page may become wrong: it may show a sleep that never ends.
 * Context: may sleep; accounting is held for writing, so no mapping is created.
 */
void mapping_stop(void);

u32 mapping_count(void);
u64 mapping_memory(void);

#endif /* TASKRT_MAPPING_H */
