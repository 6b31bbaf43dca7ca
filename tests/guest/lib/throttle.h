/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that may not run although a CPU might be free. */
#ifndef THROTTLE_H
#define THROTTLE_H

#include <stdint.h>

#include "window.h"

#define THROTTLED		TASKRT_STATE_THROTTLED
#define THROTTLE_CPU		0	/* where they are */
#define THROTTLE_PIECE		(40 * MS)

/* Does the kernel show it?  If not, the test is skipped. */
int throttle_measured(void);

/* Does the window have an interval of THROTTLE_PIECE? */
int throttle_has_piece(const struct window *window);
void throttle_check(const struct window *window, const char *name);

/* A thread that sleeps, and is woken while another one is throttled. */
struct throttle_scene {
	const char *name;
	void (*burn_as)(void);		/* the other thread becomes one that will be throttled */
	void (*sleep_as)(void);
	void (*leave)(void);		/* both, at their end; or NULL */
	/*
	 * Returns when the other thread, which has begun to burn, is throttled, or after some
	 * seconds; or NULL: ask.
	 */
	void (*await)(void);
};

/* Runs the scene, in which the woken one is throttled for @least ns. */
void throttle_woken(const struct throttle_scene *scene, uint64_t least);

#endif
