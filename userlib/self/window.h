/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_WINDOW_OWN_H
#define TASKRT_WINDOW_OWN_H

#include "internal.h"

/* The library's use of taskrt_window.private_. */
struct taskrt_window_own {
	struct taskrt_self *self;	/* NULL: the window was not begun */
	struct taskrt_snapshot begin;
} __attribute__((may_alias));

#endif /* TASKRT_WINDOW_OWN_H */
