/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks by number, and whether each is attached.
 *
 * The hooks of a switch, a wake-up, a page fault and a lock wait never wait for a lock, allocate
 * memory or wake a task.  They read the clock, call the engine and return.  To report an exit or
 * an alert, they queue an irq_work.  locking.md lists the context of each hook, and the locks that
 * the other hooks take.
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

/* The first cache line holds what each wake-up reads and writes. */
struct hook_counts {
	u32 timers_running;	/* callbacks of high-resolution timers */
	union {
		struct {
			/* A real-time thread was throttled here, and none has run since. */
			u16 rt_throttled;
			u16 groups_throttled;	/* a copy of throttle_any(), which is set first */
		};
		u32 throttled;		/* not 0 if either of them is set */
	};
	u64 hits[NR_HOOKS];
	u64 misses[NR_HOOKS];
} __aligned(64);

static_assert(offsetof(struct hook_counts, hits[HOOK_SCHED_WAKEUP]) < 64);

DECLARE_PER_CPU(struct hook_counts, hook_counts);

#define hook_hit(id)	__this_cpu_inc(hook_counts.hits[id])
#define hook_miss(id)	__this_cpu_inc(hook_counts.misses[id])

extern int hook_status[NR_HOOKS];	/* 0 if the hook is attached, otherwise the error */

static inline bool hook_attached(enum hook_id id)
{
	return !hook_status[id];
}

/* What INFO reports about a hook. */
struct hook_report {
	const char *name;
	const char *kind;
	int status;		/* as hook_status */
	u64 hits;
	u64 misses;
};

/*
 * hook_pin_module() - keep the module loaded: @name could not be unhooked (error @err)
 *
 * After an internal error ftrace changes no more code, so the kernel still calls the module.
 * Context: may sleep.
 */
void hook_pin_module(const char *name, int err);

/* The last call at unload.  It does not return if the module is pinned. */
void hook_exit(void);

#endif /* TASKRT_HOOK_H */
