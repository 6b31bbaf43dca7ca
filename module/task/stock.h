/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects for hooks that may not allocate.  Before 7.0 the hook of a fork runs with
 * preemption off, where PREEMPT_RT cannot allocate.  There each CPU has a stock, which a
 * thread of real-time priority keeps filled.  Nobody else needs one.
 */
#ifndef TASKRT_STOCK_H
#define TASKRT_STOCK_H

#include <linux/errno.h>
#include <linux/slab.h>

#if defined(CONFIG_PREEMPT_RT) && !defined(TASKRT_HAVE_PREEMPTIBLE_PROBES)

struct stock_shelf;

struct stock {
	struct kmem_cache *cache;
	struct stock_shelf __percpu *shelves;
	struct task_struct *filler;
	bool wanted;			/* the filler has something to do */
};

int stock_init(struct stock *stock, struct kmem_cache *cache, const char *name);
void stock_exit(struct stock *stock);

/* An object, or NULL.  Context: any.  It may wake the filler: no runqueue lock is held. */
void *stock_take(struct stock *stock);

/*
 * stock_put() - put an object into the stock
 * @spare: not if the stock of this CPU is full
 *
 * Return: false if it is full.
 */
bool stock_put(struct stock *stock, void *object, bool spare);

/* Fills the stocks of all CPUs.  May sleep. */
void stock_fill(struct stock *stock);

/* The number of objects that are in stock. */
unsigned int stock_count(const struct stock *stock);
#else

struct stock { };

static inline int stock_init(struct stock *stock, struct kmem_cache *cache, const char *name)
{
	return 0;
}

static inline void stock_exit(struct stock *stock)
{
}

static inline void *stock_take(struct stock *stock)
{
	return NULL;
}

static inline bool stock_put(struct stock *stock, void *object, bool spare)
{
	return false;
}

static inline void stock_fill(struct stock *stock)
{
}

static inline unsigned int stock_count(const struct stock *stock)
{
	return 0;
}
#endif

#endif /* TASKRT_STOCK_H */
