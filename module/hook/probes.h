/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes that the table of hooks attaches.  The files hook_*.c define them. */
#ifndef TASKRT_PROBES_H
#define TASKRT_PROBES_H

#include <linux/kprobes.h>
#include <linux/types.h>
#include "hook/kretprobe_group.h"
#include "hook/tracepoint_pairs.h"

/*
 * A cheaper replacement of kretprobes: they are attached only if the backend fails.  If a backend
 * cannot be detached, its callbacks do nothing, and the module stays.
 */
struct hook_backend {
	int (*attach)(void);
	void (*detach)(void);
};

/* Processor counters that each switch reads. */
struct hook_counters {
	int (*attach)(void);
	void (*detach)(void);
	void (*retry)(void);	/* tries counters again that do not count */
};

/* Called when a CPU has gone offline. */
typedef int (*hook_offline_fn)(unsigned int cpu);

extern void * const hook_probe_newtask;
extern void * const hook_probe_free;
extern void * const hook_probe_exec;
extern void * const hook_probe_exit;
extern void * const hook_probe_switch;
extern void * const hook_probe_wakeup;
extern void * const hook_probe_wakeup_new;
extern void * const hook_probe_waking;
extern void * const hook_probe_migrate;
extern void * const hook_probe_contention_begin;
extern void * const hook_probe_contention_end;

extern struct kretprobe_group hook_fault;
extern const struct hook_backend hook_fault_count;
extern struct kretprobe_group hook_mutex;
extern struct kretprobe_group hook_rt_spin_lock;
extern struct kretprobe_group hook_rwsem_read;
extern struct kretprobe_group hook_rwsem_write;
extern struct kretprobe_group hook_rt_mutex;
extern struct kretprobe_group hook_semaphore;
extern struct kretprobe_group hook_percpu_rwsem;

extern struct tracepoint_pairs hook_timer;

extern struct tracepoint_pairs hook_reclaim;
extern struct tracepoint_pairs hook_compaction;

extern struct tracepoint_pairs hook_irq_handler;
extern struct tracepoint_pairs hook_irq_vectors;
extern struct tracepoint_pairs hook_softirq;

extern const struct hook_counters hook_cycles;
extern const hook_offline_fn hook_offline_cpu;

extern struct kprobe hook_kprobe_exiting;
extern struct kprobe hook_kprobe_release;
extern struct kprobe hook_kprobe_unthrottle;
extern struct kprobe hook_kprobe_throttle;
extern struct kprobe hook_kprobe_change_group;

/* Called before each attach: they initialize the kprobes, or clear what probes have left. */
void hook_exiting_prepare(void);
void hook_release_prepare(void);
void hook_lock_prepare(void);
void hook_irq_prepare(void);
void hook_timer_prepare(void);
void hook_sched_prepare(void);

/* The kinds of lock whose waits are all seen: a mask of 1 << enum taskrt_lock. */
u32 hook_locks_seen(void);

/* True if any lock wait is seen. */
bool hook_sees_any_lock(void);

#endif /* TASKRT_PROBES_H */
