/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_WINDOW_OWN_H
#define TASKRT_WINDOW_OWN_H

#include "internal.h"

/* How the wait has ended that a window begins with, if TASKRT_WINDOW_DUE is set. */
struct taskrt_woken {
	uint64_t at_ns;			/* 0: the thread has not waited yet */
	uint32_t by;			/* enum taskrt_waker_kind */
	struct taskrt_waker waker __attribute__((aligned(8)));	/* it is copied in words */
};

/* The library's use of taskrt_window.private_. */
struct taskrt_window_own {
	struct taskrt_self *self;	/* NULL: the window was not begun */
	struct taskrt_snapshot begin;
	struct taskrt_woken woken;
} __attribute__((may_alias));

#endif /* TASKRT_WINDOW_OWN_H */
