/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_SELF_HANDLE_H
#define TASKRT_SELF_HANDLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "internal.h"

/* How far behind the clock a read is: by the thread itself, by others. */
#define TASKRT_BEHIND_OWN_NS	64
#define TASKRT_BEHIND_OTHERS_NS	1000

typedef int (*taskrt_read_fn)(struct taskrt_self *self, struct taskrt_snapshot *now);

/* An array of the page, of which all elements are on it; nr is 0: there is none. */
struct taskrt_self_array {
	const char *first;
	uint32_t stride;
	uint32_t nr;
	uint32_t bytes;			/* of an element, that both sides have */
};

/*
 * What reads need.  It is at the beginning of a page that reads zero in a child
 * after fork(2): there the thread's counters are not mapped, or something else is.
 */
struct taskrt_self {
	const struct taskrt_page *page;		/* NULL: by netlink, or in a child */
	const void *opener;			/* taskrt_this_thread() of it; NULL as page */
	taskrt_read_fn read_own;
	int (*clock)(clockid_t clock, struct timespec *now);
	uint64_t behind_ns[2];			/* CLOCK_MONOTONIC is, for others and for itself */
	uint64_t last_ns;			/* of the opener's last read, by which it is later */
	uint32_t mine;				/* 0: in a child */

	/* What a read of the times has no need of. */
	struct taskrt_measured measured;
	struct taskrt_self_array timers_since;
	struct taskrt_self_array counts;
	struct taskrt_self_array state_intervals;
	struct taskrt_self_array timer_intervals;
};

/* What only closing, alerts and netlink need: the next page, which a child inherits. */
struct taskrt_self_rest {
	size_t length;				/* of the mapping of page */
	int fd;					/* the device; -1 */
	struct taskrt *handle;			/* netlink; NULL */
	pid_t tid;
	pthread_mutex_t lock;			/* of handle and what follows */
	bool final;
	uint32_t groups;			/* that anybody has asked for */
	uint8_t parent[TASKRT_STATES_ROOM];	/* of each state, as page or INFO tells it */
	struct taskrt_reading last;		/* what was answered last */
};

/*
 * A name of the calling thread.  pthread_self() would be a call and take 13 instructions more,
 * and the compiler's builtin is too new on x86.
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

/* The page after self's. */
struct taskrt_self_rest *taskrt_self_rest(const struct taskrt_self *self);

/* A handle without a page yet, all locked in memory; NULL: no memory. */
struct taskrt_self *taskrt_self_new(void);

#endif /* TASKRT_SELF_HANDLE_H */
