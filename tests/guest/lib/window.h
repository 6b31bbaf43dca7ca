/* SPDX-License-Identifier: GPL-2.0-only */
/* What taskrt reports of a piece of work in a thread of its own. */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdint.h>
#include <taskrt.h>

#include "groups.h"

struct window {
	struct taskrt_reading before, after, delta;
	uint64_t begin_ns, end_ns;	/* CLOCK_MONOTONIC around the work alone */
};

typedef void (*window_fn)(void *arg);

/*
 * Runs the work in a fresh thread, which has no longest interval yet, between two queries
 * of that thread.  Bails out if a query fails.
 */
void window_observe(struct window *window, window_fn fn, void *arg);

/* Is every word 0 whose bit of measured is clear? */
int window_is_measured(const struct taskrt_reading *reading);
/*
 * The same, and do the states of one snapshot sum to the time tracked, to the nanosecond?
 * Rounded times do, too, but a thread's are less than the time from the first stamp to the last.
 */
int window_adds_up(const struct taskrt_reading *reading);
/* Do numbers that appear twice agree, and do parts sum to the whole or stay within it? */
int window_agrees(const struct taskrt_reading *reading);
uint64_t window_sum(const __u64 *ns, unsigned int count);

/*
 * Checks that the work spent at least least ns in the state, in one piece, inside the
 * window, and that before, after and delta each add up.
 */
void window_check_state(const struct window *window, unsigned int state, uint64_t least,
			const char *name);
/* The same for the longest fault, lock wait or state. */
void window_check_longest(const struct window *window, const struct taskrt_longest *longest,
			  uint64_t least, const char *name);

/* A handle that works, or the end of the test. */
struct taskrt *window_open(void);
/* taskrt_get() with every group. */
int window_ask(struct taskrt *handle, uint32_t entity, pid_t id, struct taskrt_reading *reading);
/* taskrt_each() with every group, for the threads of that process; 0: for all threads. */
int window_each(struct taskrt *handle, pid_t tgid, taskrt_each_fn fn, void *arg);
/* The totals of a thread or a process, or the end of the test. */
void window_thread(struct taskrt *handle, pid_t tid, struct taskrt_reading *reading);
void window_process(struct taskrt *handle, pid_t tgid, struct taskrt_reading *reading);
/* Waits until the thread is in that state; bails out after CLOCK_PATIENCE. */
void window_await(struct taskrt *handle, pid_t tid, uint32_t state);
void window_info(struct taskrt *handle, struct taskrt_info *info);

/* Looks in the INFO that the handle read last.  0: the module has no such hook on this kernel. */
int window_find_hook(const struct taskrt *handle, const char *name, struct taskrt_hook *hook);
int window_has_hook(const char *name);

/* Prints where the time of a window went, for the reader of a failure. */
void window_print(const struct taskrt_reading *reading);

/* Is the module inserted, and does a reading of the current thread add up? */
int window_works(void);

#endif
