/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel calls us: the hooks by number, with what came of each.
 *
 * The hooks of a switch, a wake-up, a page fault, a lock wait, a reclaim, an exit and a release
 * take no lock that they would have to wait for, allocate nothing and wake no task.
 * They read the clock, call the engine and return.  For a listener to exits or alerts they
 * queue an irq_work.
 *
 * The hooks of a fork and of a free take the raw spinlocks of the process and of a
 * bucket of each table, each for a few instructions, and may queue work; that of a fork
 * allocates, without sleeping, or takes from a cache (see pool.h).  The hook of an exec
 * takes a lock of observers, if the task has its counters mapped: see observer.h.
 */
#ifndef TASKRT_HOOK_H
#define TASKRT_HOOK_H

#include <linux/build_bug.h>
#include <linux/percpu.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include "compat/compat.h"

enum hook_id {
	HOOK_SCHED_PROCESS_FREE,
	HOOK_SCHED_PROCESS_EXEC,
	HOOK_SCHED_PROCESS_EXIT,
	HOOK_EXIT_SIGNALS,
	HOOK_RELEASE_TASK,
	HOOK_SCHED_SWITCH,
	HOOK_SCHED_WAKEUP,
	HOOK_SCHED_WAKEUP_NEW,
	HOOK_CPU_OFFLINE,
	HOOK_HRTIMER_EXPIRE,
#ifdef TASKRT_HAVE_CONTENTION_TRACEPOINTS
	HOOK_CONTENTION_END,
	HOOK_CONTENTION_BEGIN,
#else
#ifdef CONFIG_PREEMPT_RT
	HOOK_RT_SPIN_LOCK,
#else
	HOOK_MUTEX,
#endif
	HOOK_RWSEM_READ,
	HOOK_RWSEM_WRITE,
	HOOK_RT_MUTEX,
	HOOK_SEMAPHORE,
	HOOK_PERCPU_RWSEM,
#endif
	HOOK_HANDLE_MM_FAULT,
	HOOK_RECLAIM,
#ifdef CONFIG_COMPACTION
	HOOK_COMPACTION,
#endif
#ifdef COMPAT_THROTTLES_GROUPS
	HOOK_UNTHROTTLE,
	HOOK_THROTTLE,
	HOOK_TASK_CHANGE_GROUP,
#endif
	HOOK_IRQ_HANDLER,
	HOOK_IRQ_VECTORS,
#ifndef CONFIG_PREEMPT_RT
	HOOK_SOFTIRQ,
#endif
#ifdef CONFIG_PERF_EVENTS
	HOOK_CYCLES,
#endif
	HOOK_SCHED_WAKING,
	HOOK_SCHED_MIGRATE_TASK,
	HOOK_TASK_NEWTASK,
	NR_HOOKS,
};

/* The first line has what each wake-up reads and writes. */
struct hook_counts {
	u32 timers_running;	/* callbacks, of high-resolution timers */
	union {
		struct {
			/* A real-time thread was throttled here, and none has run since. */
			u16 rt_throttled;
			u16 groups_throttled;	/* as throttle_any(), which may be a bit earlier */
		};
		u32 throttled;		/* one of them */
	};
	u64 hits[NR_HOOKS];
	u64 misses[NR_HOOKS];
} __aligned(64);

static_assert(offsetof(struct hook_counts, hits[HOOK_SCHED_WAKEUP]) < 64);

DECLARE_PER_CPU(struct hook_counts, hook_counts);

#define hook_hit(id)	__this_cpu_inc(hook_counts.hits[id])
#define hook_miss(id)	__this_cpu_inc(hook_counts.misses[id])

/* 0 if the hook is attached, otherwise the error. */
extern int hook_status[NR_HOOKS];

static inline bool hook_attached(enum hook_id id)
{
	return !hook_status[id];
}

/* What INFO says of a hook. */
struct hook_report {
	const char *name;
	const char *kind;
	int status;		/* as hook_status */
	u64 hits;
	u64 misses;
};

/*
 * hook_pin_module() - the kernel still calls a function that was to be unhooked
 * @name: of what could not be unhooked
 * @err: what unhooking it returned
 *
 * ftrace changes no code once the kernel has found it at fault.  So the module's code is never
 * freed.
 * Context: may sleep.
 */
void hook_pin_module(const char *name, int err);

/* The last thing that the module does at unload.  It does not return if the module is pinned. */
void hook_exit(void);

#endif /* TASKRT_HOOK_H */
