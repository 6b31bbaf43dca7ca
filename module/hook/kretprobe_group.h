/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that are hooked at entry and return.  Either all or none are attached. */
#ifndef TASKRT_KRETPROBE_GROUP_H
#define TASKRT_KRETPROBE_GROUP_H

#include <linux/kprobes.h>
#include <linux/types.h>

#define KRETPROBE_GROUP_MAX	5

struct kretprobe_group {
	const char *symbols[KRETPROBE_GROUP_MAX];	/* ends with NULL, if shorter */
	kretprobe_handler_t on_entry;	/* if it does not return 0, on_exit is not called */
	kretprobe_handler_t on_exit;
	size_t data_size;		/* of the data kept from entry to return */
	/* The number of tasks that may be inside each function: see kretprobe_group_instances(). */
	unsigned int fewest;
	unsigned int one_in;		/* of max_threads, if that is more */
	struct kretprobe probes[KRETPROBE_GROUP_MAX];
};

/* @max_threads: of the threads that are tracked.  Context: both may sleep. */
int kretprobe_group_attach(struct kretprobe_group *group, u64 max_threads);
void kretprobe_group_detach(struct kretprobe_group *group);

/* How often a call was not seen since then. */
u64 kretprobe_group_missed(struct kretprobe_group *group);

#endif /* TASKRT_KRETPROBE_GROUP_H */
