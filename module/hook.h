/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel calls us: one table of tracepoints and probes, found by
 * name, with what came of each.  A hook reads the clock, tells the engine and
 * returns; it takes no lock that may be waited for, allocates nothing, wakes
 * nobody.
 */
#ifndef TASKRT_HOOK_H
#define TASKRT_HOOK_H

#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>

enum hook_id {
	HOOK_SCHED_PROCESS_FREE,
	HOOK_SCHED_PROCESS_EXEC,
	HOOK_SCHED_PROCESS_EXIT,
	HOOK_EXIT_SIGNALS,
	HOOK_RELEASE_TASK,
	HOOK_SCHED_SWITCH,
	HOOK_SCHED_WAKEUP,
	HOOK_SCHED_WAKEUP_NEW,
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
	HOOK_TASK_NEWTASK,
	NR_HOOKS,
};

struct hook_counts {
	u64 hits[NR_HOOKS];
	u64 misses[NR_HOOKS];
};

DECLARE_PER_CPU(struct hook_counts, hook_counts);

#define hook_hit(id)	__this_cpu_inc(hook_counts.hits[id])
#define hook_miss(id)	__this_cpu_inc(hook_counts.misses[id])

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

/* What is known of one hook, for readers. */
struct hook_report {
	const char *name;
	const char *kind;
	int status;		/* 0 attached, else why not */
	u64 hits;
	u64 misses;
};

/* Return: 0, or -EINVAL with a message: a name in the list is of no optional hook. */
int hooks_check(const char *without);

/*
 * hooks_attach() - attach all but those named in @without, a comma-separated list
 * @ready: is called when it is known which there are, and nobody has a record yet
 * Return: 0, or why a hook failed without which nobody can be tracked.  Any
 * other that fails is reported and the rest works.  May sleep.
 */
int hooks_attach(const char *without, void (*ready)(void));

/* Counts from now on: what came before everybody had a record was no miss. */
void hooks_count_anew(void);

/* No probe runs any more when it returns.  May sleep. */
void hooks_detach(void);

void hook_report(enum hook_id id, struct hook_report *report);
bool hook_attached(enum hook_id id);

/* Of which kinds of lock, 1 << enum taskrt_lock, is every wait seen?  Is any wait at all? */
u32 hooks_locks_seen(void);
bool hooks_see_any_lock(void);

/* A hook that costs nothing until somebody needs it.  Return: 0 or an errno. */
int hook_enable(enum hook_id id);

/* The probes; each file fills in its own. */
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

#endif /* TASKRT_HOOK_H */
