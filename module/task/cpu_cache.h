/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The free objects of each CPU.  Tasks come and go by the hundred.  The worker frees more
 * together than the slab allocator keeps for a CPU.  Without this cache, objects would return to
 * the page allocator and come from there all the time, and many kernels clear them.
 *
 * Before 7.0 the hook of a fork runs with preemption off, where PREEMPT_RT cannot allocate.
 * There the cache is all that the hook has, and a thread of real-time priority refills
 * it.  Elsewhere it holds only what was freed.
 */
#ifndef TASKRT_CPU_CACHE_H
#define TASKRT_CPU_CACHE_H

#include <linux/slab.h>

#if defined(CONFIG_PREEMPT_RT) && !defined(TASKRT_HAVE_PREEMPTIBLE_PROBES)
#define CPU_CACHE_ONLY	1
#else
#define CPU_CACHE_ONLY	0
#endif

struct cpu_cache_list;

struct cpu_cache {
	struct kmem_cache *slab;
	struct cpu_cache_list __percpu *lists;
	unsigned int full;		/* that each of them holds at most, of what is spare */
	/* With CPU_CACHE_ONLY: */
	struct task_struct *refiller;
	bool wanted;			/* the refiller has something to do */
};

int cpu_cache_init(struct cpu_cache *cache, struct kmem_cache *slab, const char *name);
void cpu_cache_exit(struct cpu_cache *cache);

/*
 * An object, or NULL.  Context: any.  With CPU_CACHE_ONLY it may wake the refiller: no
 * runqueue lock is held.
 */
void *cpu_cache_take(struct cpu_cache *cache);

/*
 * cpu_cache_put() - put an object into the cache of a CPU
 * @spare: not if that is full
 *
 * Return: false if it is full.
 */
bool cpu_cache_put(struct cpu_cache *cache, void *object, int cpu, bool spare);

/* With CPU_CACHE_ONLY: refills the caches of all CPUs.  May sleep. */
void cpu_cache_refill(struct cpu_cache *cache);

/* The number of objects that are cached. */
unsigned int cpu_cache_count(const struct cpu_cache *cache);

#endif /* TASKRT_CPU_CACHE_H */
