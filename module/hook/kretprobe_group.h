/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that are hooked at entry and return.  Either all or none are attached. */
#ifndef TASKRT_KRETPROBE_GROUP_H
#define TASKRT_KRETPROBE_GROUP_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/types.h>
#include "hook/hook.h"

#define KRETPROBE_GROUP_MAX	5

struct thread;

struct kretprobe_group {
	const char *symbols[KRETPROBE_GROUP_MAX];	/* ends with NULL, if shorter */
	kretprobe_handler_t on_entry;	/* if it does not return 0, on_exit is not called */
	kretprobe_handler_t on_exit;
	size_t data_size;		/* of the data kept from entry to return */
	enum hook_id id;
	/* The number of tasks that may be inside each function: kretprobe_group_instances(). */
	unsigned int fewest;
	unsigned int one_in;		/* one in so many of max_threads, if that is more */
	struct kretprobe probes[KRETPROBE_GROUP_MAX];
	atomic_t slots;			/* how many more tasks may be inside */
};

/* @max_threads: limit of tracked threads.  Context: both may sleep. */
int kretprobe_group_attach(struct kretprobe_group *group, u64 max_threads);
void kretprobe_group_detach(struct kretprobe_group *group);

/*
 * kretprobe_group_enter() - reserve an instance from the entry of a function to its return
 *
 * The kernel skips a call that finds no instance, and does not name the thread.  The group
 * therefore refuses earlier, counts the miss, and marks the thread and its process.
 * Context: the entry handler; preemption off.
 * Return: false if no instance is left.  Otherwise the exit handler calls kretprobe_group_leave().
 */
void kretprobe_group_refuse(struct kretprobe_group *group, struct thread *t);

static __always_inline bool kretprobe_group_enter(struct kretprobe_group *group, struct thread *t)
{
	if (likely(atomic_dec_return_relaxed(&group->slots) >= 0))
		return true;
	kretprobe_group_refuse(group, t);
	return false;
}

static __always_inline void kretprobe_group_leave(struct kretprobe_group *group)
{
	atomic_inc(&group->slots);
}

/* How many calls the kernel has skipped since the group was attached. */
u64 kretprobe_group_missed(struct kretprobe_group *group);

#endif /* TASKRT_KRETPROBE_GROUP_H */
