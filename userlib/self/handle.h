/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_SELF_HANDLE_H
#define TASKRT_SELF_HANDLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "internal.h"

/* How far a read stays behind the clock: one by the thread itself, and one by another. */
#define TASKRT_BEHIND_OWN_NS	64
#define TASKRT_BEHIND_OTHERS_NS	1000

typedef int (*taskrt_read_fn)(struct taskrt_self *self, struct taskrt_snapshot *now);

/* An array on the page, all of whose elements are mapped.  nr is 0 if there are none. */
struct taskrt_self_array {
	const char *first;
	uint32_t stride;
	uint32_t nr;
	uint32_t bytes;			/* of each element, that both sides know */
};

/*
 * The fields that reads need.  The kernel zeroes them in a child after fork(2), where the
 * counters are not mapped.
 */
struct taskrt_self {
	const struct taskrt_page *page;		/* NULL: over netlink, or in a child */
	const void *opener;			/* its taskrt_this_thread(); NULL if page is */
	taskrt_read_fn read_own;
	int (*clock)(clockid_t clock, struct timespec *now);
	uint64_t behind_ns[2];			/* of CLOCK_MONOTONIC: for others, for itself */
	uint64_t last_ns;			/* of the opener's last read; the next is later */
	uint64_t due_woken_ns;			/* the last wake-up at the start of a window */
	uint32_t mine;				/* 0: in a child */

	/* The fields that a read of the times does not need. */
	struct taskrt_measured measured;
	struct taskrt_self_array timers_since;
	struct taskrt_self_array counts;
	struct taskrt_self_array state_intervals;
	struct taskrt_self_array timer_intervals;
	struct taskrt_self_array held_states;
	struct taskrt_self_array waker;
};

/* States below are known by their number.  Of others, the parent is needed. */
#define KNOWN_STATES	(TASKRT_STATE_YIELDED + 1)

/*
 * The fields that only closing, alerts and netlink need, and that stay the same while
 * the counters are mapped.  They are in the part of the memory that a child inherits.
 */
struct taskrt_self_rest {
	size_t length;				/* of the mapping of page */
	int fd;					/* the device; -1: not open */
	struct taskrt *handle;			/* netlink; NULL: not open */
	pid_t tid;
	pthread_mutex_t lock;			/* protects handle and what follows */
	bool final;
	uint32_t groups;			/* requested by any call so far */
	uint8_t parent[TASKRT_STATES_ROOM];	/* of each state, from the page or INFO */
	struct taskrt_reading last;		/* the last answer */
};

/*
 * Return: an address that identifies the calling thread.  pthread_self() would be a call
 * and cost 13 instructions, and the compiler's builtin is too new on x86.
 */
static inline const void *taskrt_this_thread(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	const void *thread;

	__asm__("mov %%fs:0, %0" : "=r" (thread));
	return thread;
#elif defined(__aarch64__)
	return __builtin_thread_pointer();
#else
	return (const void *)pthread_self();
#endif
}

/* Return: the part of the handle that a child inherits. */
struct taskrt_self_rest *taskrt_self_rest(const struct taskrt_self *self);

/*
 * A state that this library does not know is of the kind of its parent, which the page or
 * INFO tells.  Return: @state, or its nearest ancestor that is known; TASKRT_NONE: none is.
 */
uint32_t taskrt_self_known(const struct taskrt_self *self, uint32_t state);

/*
 * The times of the known states have been added to the time on a CPU and to the time in a queue.
 * Add the times in the states that this library does not know.
 */
void taskrt_self_add_unknown(const struct taskrt_self *self, const struct taskrt_times *times,
			     uint64_t *cpu_ns, uint64_t *queue_ns);

/* As taskrt_self_alert(), of a cycle that has ended; end_ns 0: now. */
int taskrt_self_alert_cycle(struct taskrt_self *self, const char *tag, uint64_t begin_ns,
			    uint64_t end_ns);

/* Make a handle without counters, locked in memory.  Return: NULL: there is no memory. */
struct taskrt_self *taskrt_self_new(void);

#endif /* TASKRT_SELF_HANDLE_H */
