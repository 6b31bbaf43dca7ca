/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cache of free objects on each CPU.  The worker frees more threads at once than the slab
 * allocator keeps for a CPU.  Without this cache, pages would move to and from the page allocator
 * all the time, and many kernels would clear each object (init_on_alloc).
 *
 * Before 7.0 the fork hook runs with preemption off, where PREEMPT_RT cannot allocate.  On such
 * kernels (CPU_CACHE_ONLY) this hook takes objects only from the cache, and a real-time thread
 * refills it.
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
	unsigned int full;		/* the limit of spare objects on each CPU */
	/* With CPU_CACHE_ONLY: */
	struct task_struct *refiller;
	bool wanted;			/* the refiller has something to do */
};

int cpu_cache_init(struct cpu_cache *cache, struct kmem_cache *slab, const char *name);
void cpu_cache_exit(struct cpu_cache *cache);

/*
 * Return: an object, or NULL.  Context: any, but not under a runqueue lock: with CPU_CACHE_ONLY
 * this may wake the refiller.
 */
void *cpu_cache_take(struct cpu_cache *cache);

/*
 * Puts an object into the cache of @cpu.  Return: false if the cache does not take it.
 * @spare: take the object only if there are fewer than cache->full; otherwise always take it
 */
bool cpu_cache_put(struct cpu_cache *cache, void *object, int cpu, bool spare);

/* Refills the caches of all CPUs with CPU_CACHE_ONLY; otherwise does nothing.  May sleep. */
void cpu_cache_refill(struct cpu_cache *cache);

unsigned int cpu_cache_count(const struct cpu_cache *cache);

#endif /* TASKRT_CPU_CACHE_H */
