/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The free objects of each CPU.  Tasks come and go by the hundred.  The worker frees more
 * together than the slab allocator keeps for a CPU.  Without a stock, objects would return to
 * the page allocator and come from there all the time, and many kernels clear them.
 *
 * Before 7.0 the hook of a fork runs with preemption off, where PREEMPT_RT cannot allocate.
 * There the stock is all that the hook has, and a thread of real-time priority keeps it
 * filled.  Elsewhere it holds only what was freed.
 */
#ifndef TASKRT_STOCK_H
#define TASKRT_STOCK_H

#include <linux/slab.h>

#if defined(CONFIG_PREEMPT_RT) && !defined(TASKRT_HAVE_PREEMPTIBLE_PROBES)
#define STOCK_MUST_DO	1
#else
#define STOCK_MUST_DO	0
#endif

struct stock_shelf;

struct stock {
	struct kmem_cache *cache;
	struct stock_shelf __percpu *shelves;
	unsigned int full;		/* that each of them holds at most, of what is spare */
	/* With STOCK_MUST_DO: */
	struct task_struct *filler;
	bool wanted;			/* the filler has something to do */
};

int stock_init(struct stock *stock, struct kmem_cache *cache, const char *name);
void stock_exit(struct stock *stock);

/*
 * An object, or NULL.  Context: any.  With STOCK_MUST_DO it may wake the filler: no
 * runqueue lock is held.
 */
void *stock_take(struct stock *stock);

/*
 * stock_put() - put an object into the stock of a CPU
 * @spare: not if that is full
 *
 * Return: false if it is full.
 */
bool stock_put(struct stock *stock, void *object, int cpu, bool spare);

/* With STOCK_MUST_DO: fills the stocks of all CPUs.  May sleep. */
void stock_fill(struct stock *stock);

/* The number of objects that are in stock. */
unsigned int stock_count(const struct stock *stock);

#endif /* TASKRT_STOCK_H */
