/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_WINDOW_OWN_H
#define TASKRT_WINDOW_OWN_H

#include <stdbool.h>

#include "internal.h"

/* How the wait at the start of a window has ended, if TASKRT_WINDOW_DUE is set. */
struct taskrt_woken {
	uint64_t at_ns;			/* 0: the thread has not waited yet */
	uint32_t by;			/* enum taskrt_waker_kind */
	struct taskrt_waker waker __attribute__((aligned(8)));	/* it is copied in words */
};

/* Marks a window that was started.  What an uninitialized one holds is not this. */
#define TASKRT_WINDOW_MAGIC	0x9b71d5f20c8e4a63ULL

/* The library's use of taskrt_window.private_. */
struct taskrt_window_own {
	uint64_t magic;
	struct taskrt_self *self;
	struct taskrt_snapshot begin;
	struct taskrt_woken woken;
} __attribute__((may_alias));

/* The last wait of the thread that has ended. */
struct taskrt_wait {
	uint64_t begin_ns;
	uint32_t state;			/* enum taskrt_state */
	struct taskrt_woken woken;
};

/* Return: 0; or a negative errno: the wait is not known, or the thread is not running now. */
int taskrt_last_wait(const struct taskrt_self *self, struct taskrt_wait *wait);

static inline bool taskrt_window_started(const struct taskrt_window *w)
{
	return ((const struct taskrt_window_own *)w->private_)->magic == TASKRT_WINDOW_MAGIC;
}

/* Return: true if the times of the window are known. */
static inline bool taskrt_window_ended(const struct taskrt_window *w)
{
	return w->flags & TASKRT_WINDOW_ENDED && taskrt_window_started(w);
}

#endif /* TASKRT_WINDOW_OWN_H */
