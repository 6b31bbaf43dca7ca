// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A deadline, and a queue with an explanation of each miss.  One thread writes and one
 * reads, and neither waits for the other.
 *
 * The kernel zeroes the deadline in a child after fork(2).  The child inherits a second
 * pointer to the thread's counters, with which it closes them.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "self/deadline.h"
#include "experimental.h"
#include "self/handle.h"
#include "self/line.h"
#include "self/window.h"
#include "memory.h"

#define QUEUE		64		/* a power of 2 */
#define POLL_NS		10000000	/* the interval at which a reader polls */

struct miss {
	struct taskrt_explanation why;
	uint64_t lost;			/* misses before this one for which there was no room */
};

struct taskrt_deadline {
	struct taskrt_self *self;		/* NULL: in a child */
	uint64_t ns;
	struct taskrt_window window;
	bool begun;				/* since the last end, perhaps in vain */

	/* Written by the thread with the deadline, only when it is late. */
	atomic_uint written;
	atomic_ulong lost;
	/* Written by the reader. */
	atomic_uint delivered;
	unsigned long lost_delivered;
	atomic_bool stopped;

	struct miss queue[QUEUE];
};

static struct taskrt_self **kept_self(const struct taskrt_deadline *d)
{
	return taskrt_memory_kept(d);
}

/* Return: an error if there is no deadline that this process may use. */
static int deadline_check(const struct taskrt_deadline *d)
{
	if (!d)
		return -EINVAL;
	return d->self ? 0 : -ECHILD;
}

static void put_miss(struct taskrt_deadline *d)
{
	unsigned int at = atomic_load_explicit(&d->written, memory_order_relaxed);
	unsigned long lost = atomic_load_explicit(&d->lost, memory_order_relaxed);
	struct miss *miss = &d->queue[at % QUEUE];

	/* The slot is free once the reader has delivered what was in it. */
	if (at - atomic_load_explicit(&d->delivered, memory_order_acquire) == QUEUE) {
		/* A reader that sees this loss also sees what is in the queue before it. */
		atomic_store_explicit(&d->lost, lost + 1, memory_order_release);
		return;
	}
	taskrt_window_explain(&d->window, &miss->why, sizeof(miss->why));
	miss->lost = lost;
	atomic_store_explicit(&d->written, at + 1, memory_order_release);
}

/* Call all functions once, so that no page fault happens when they are needed. */
static int deadline_touch(struct taskrt_deadline *d)
{
	char line[8];
	int err = taskrt_deadline_begin_due(d, 0);

	if (err)
		return err;
	err = taskrt_deadline_end(d);
	if (err < 0)
		return err;
	atomic_store(&d->delivered, atomic_load(&d->written));
	put_miss(d);
	taskrt_deadline_next(d, line, sizeof(line), 0);
	memset(d->queue, 0, sizeof(d->queue));
	return 0;
}

struct taskrt_deadline *taskrt_deadline_new(struct taskrt_self *self, uint64_t ns)
{
	struct taskrt_deadline *d = taskrt_memory_new(sizeof(*d));

	if (!d)
		return NULL;
	d->self = self;
	*kept_self(d) = self;
	d->ns = ns;
	return d;
}

int taskrt_deadline_open(struct taskrt_deadline **deadline, unsigned int flags, uint64_t ns)
{
	struct taskrt_deadline *d;
	struct taskrt_self *self;
	int err;

	if (!deadline)
		return -EINVAL;
	*deadline = NULL;
	if (!ns)
		return -EINVAL;
	err = taskrt_self_open(&self, flags);
	if (err)
		return err;
	d = taskrt_deadline_new(self, ns);
	if (!d) {
		taskrt_self_close(self);
		return -ENOMEM;
	}
	err = deadline_touch(d);
	if (err)
		taskrt_deadline_close(d);
	else
		*deadline = d;
	return err;
}

void taskrt_deadline_close(struct taskrt_deadline *d)
{
	if (!d)
		return;
	taskrt_self_close(*kept_self(d));
	taskrt_memory_free(d);
}

int taskrt_deadline_begin(struct taskrt_deadline *d)
{
	int err = deadline_check(d);

	if (err)
		return err;
	d->begun = true;
	return taskrt_window_begin(&d->window, d->self);
}

int taskrt_deadline_begin_due(struct taskrt_deadline *d, uint64_t due_ns)
{
	int err = deadline_check(d);
	uint64_t last_end_ns;

	if (err)
		return err;
	d->begun = true;
	last_end_ns = d->window.end_ns;
	err = taskrt_window_begin_due(&d->window, d->self, due_ns);
	/* That was a wait in the last cycle: the thread has not waited for this one. */
	if (!err && d->window.flags & TASKRT_WINDOW_DUE && d->window.begin_ns < last_end_ns)
		err = taskrt_window_begin(&d->window, d->self);
	return err;
}

int taskrt_deadline_end(struct taskrt_deadline *d)
{
	int err = deadline_check(d);

	if (err)
		return err;
	if (!d->begun)
		return -EINVAL;
	d->begun = false;
	err = taskrt_window_end(&d->window);
	if (err || d->window.elapsed_ns <= d->ns)
		return err;
	put_miss(d);
	return 1;
}

int taskrt_deadline_alert(struct taskrt_deadline *d, const char *tag)
{
	int err = deadline_check(d);

	if (err)
		return err;
	return taskrt_self_alert_cycle(d->self, tag, d->window.begin_ns,
				       taskrt_window_ended(&d->window) ? d->window.end_ns : 0);
}

struct taskrt_self *taskrt_deadline_self(const struct taskrt_deadline *d)
{
	return d ? *kept_self(d) : NULL;
}

void taskrt_deadline_stop(struct taskrt_deadline *d)
{
	if (d)
		atomic_store_explicit(&d->stopped, true, memory_order_release);
}

static void format_lost(struct taskrt_deadline *d, unsigned long lost, char *text, size_t size)
{
	struct taskrt_line line;

	taskrt_line_init(&line, text, size);
	taskrt_line_text(&line, "late, but the queue of reports was full: ");
	taskrt_line_number(&line, lost - d->lost_delivered);
	taskrt_line_end(&line);
	d->lost_delivered = lost;
}

/* Return: true if a line was written. */
static bool deadline_take(struct taskrt_deadline *d, char *line, size_t size)
{
	unsigned int at = atomic_load_explicit(&d->delivered, memory_order_relaxed);
	/*
	 * This is read before the queue is found empty, so that these misses were lost
	 * after all in it.
	 */
	unsigned long lost = atomic_load_explicit(&d->lost, memory_order_acquire);
	const struct miss *miss = &d->queue[at % QUEUE];
	bool empty = at == atomic_load_explicit(&d->written, memory_order_acquire);

	if (!empty)
		lost = miss->lost;
	if (lost != d->lost_delivered) {
		format_lost(d, lost, line, size);
		return true;
	}
	if (empty)
		return false;
	taskrt_explanation_format(&miss->why, sizeof(miss->why), d->ns, line, size);
	atomic_store_explicit(&d->delivered, at + 1, memory_order_release);
	return true;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

int taskrt_deadline_next(struct taskrt_deadline *d, char *line, size_t size, int timeout_ms)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	uint64_t end = timeout_ms > 0 ? now_ns() + timeout_ms * 1000000ULL : 0;
	int err = line && size ? deadline_check(d) : -EINVAL;
	bool stopped;

	if (err)
		return err;
	for (;;) {
		/* Misses before the stop are still delivered, so this is read before the queue. */
		stopped = atomic_load_explicit(&d->stopped, memory_order_acquire);
		if (deadline_take(d, line, size))
			return 1;
		if (stopped || !timeout_ms || (timeout_ms > 0 && now_ns() >= end))
			return 0;
		if (nanosleep(&pause, NULL))
			return -errno;
	}
}
