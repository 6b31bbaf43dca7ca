/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits that last at least so long, however busy the host is: what counts is not
 * when somebody was about to wait, but when he is seen to.
 */
#ifndef BELL_H
#define BELL_H

#include <stdint.h>

#include "thread.h"

typedef void (*bell_fn)(void *arg);

/* A thread that sees another one wait, leaves it to that, and then calls fn. */
struct bell {
	struct thread thread;
	pid_t tid;
	uint32_t state;
	uint64_t ns;
	bell_fn fn;
	void *arg;
};

/* For the thread tid, 0: the caller.  It has to come to that state, a TASKRT_STATE_*. */
void bell_set(struct bell *bell, pid_t tid, uint32_t state, uint64_t ns, bell_fn fn, void *arg);
/* After fn has returned. */
void bell_join(struct bell *bell);

/* The caller sleeps in SLEEPING_TIMER, in one piece. */
void bell_sleep(uint64_t ns);

/* A thread called culprit that has a lock of the test module's. */
struct bell_culprit {
	struct thread thread;
	struct bell bell;
	int device;
	uint32_t lock;			/* TASKRT_TEST_* */
	volatile int stop;
};

/* Returns when it has the lock; device: device_open()'s. */
void bell_take(struct bell_culprit *culprit, int device, uint32_t lock);
/* It drops the lock when that thread, 0: the caller, has waited for it for so long; or now. */
void bell_drop_after(struct bell_culprit *culprit, pid_t tid, uint64_t ns);
void bell_drop(struct bell_culprit *culprit);
/* Waits for its end, after one of those. */
void bell_end(struct bell_culprit *culprit);

#endif
