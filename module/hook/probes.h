/* SPDX-License-Identifier: GPL-2.0-only */
/* What the table of hooks attaches: each file hook_*.c defines its own. */
#ifndef TASKRT_PROBES_H
#define TASKRT_PROBES_H

#include <linux/kprobes.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

/* Functions that are hooked at entry and exit, all or none of them. */
#define KRETPROBE_GROUP_MAX	5

struct kretprobe_group {
	const char *symbols[KRETPROBE_GROUP_MAX];	/* NULL: no more */
	kretprobe_handler_t on_entry;	/* a nonzero return: do not call the other */
	kretprobe_handler_t on_exit;
	size_t data_size;		/* kept from entry to exit */
	int at_once;			/* tasks inside; more are counted as missed */
	struct kretprobe probes[KRETPROBE_GROUP_MAX];
};

extern void * const hook_probe_newtask;
extern void * const hook_probe_free;
extern void * const hook_probe_exec;
extern void * const hook_probe_exit;
extern void * const hook_probe_switch;
extern void * const hook_probe_wakeup;
extern void * const hook_probe_wakeup_new;
extern void * const hook_probe_contention_begin;
extern void * const hook_probe_contention_end;

extern struct kretprobe_group hook_fault;
extern struct kretprobe_group hook_mutex;
extern struct kretprobe_group hook_rt_spin_lock;
extern struct kretprobe_group hook_rwsem_read;
extern struct kretprobe_group hook_rwsem_write;
extern struct kretprobe_group hook_rt_mutex;
extern struct kretprobe_group hook_semaphore;
extern struct kretprobe_group hook_percpu_rwsem;

extern struct kprobe hook_kprobe_exiting;
extern struct kprobe hook_kprobe_release;

/* Fill in what is particular, for a fresh registration. */
void hook_exiting_prepare(void);
void hook_release_prepare(void);

/* Of which kinds of lock, 1 << enum taskrt_lock, is every wait seen?  Is any wait at all? */
u32 hook_locks_seen(void);
bool hook_sees_any_lock(void);

#endif /* TASKRT_PROBES_H */
