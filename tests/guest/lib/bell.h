/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits with a minimal length, however busy the host is: the length counts from the moment
 * at which another thread sees the waiter wait.
 */
#ifndef BELL_H
#define BELL_H

#include <stdint.h>

#include "thread.h"

typedef void (*bell_fn)(void *arg);

/* A thread that sees another one wait, lets that wait last, and then calls fn. */
struct bell {
	struct thread thread;
	pid_t tid;
	uint32_t state;
	uint64_t ns;
	bell_fn fn;
	void *arg;
};

/* Watches the thread tid, 0: the caller, which has to reach that state, a TASKRT_STATE_*. */
void bell_set(struct bell *bell, pid_t tid, uint32_t state, uint64_t ns, bell_fn fn, void *arg);
/* After fn has returned. */
void bell_join(struct bell *bell);

/* Puts the caller to sleep in SLEEPING_TIMER, in one piece. */
void bell_sleep(uint64_t ns);

/* A thread called culprit that holds a lock of the test module. */
struct bell_culprit {
	struct thread thread;
	struct bell bell;
	int device;
	uint32_t lock;			/* TASKRT_TEST_* */
	volatile int stop;
};

/* Returns when the thread holds the lock; device is that of device_open(). */
void bell_take(struct bell_culprit *culprit, int device, uint32_t lock);
/*
 * Drops the lock when the thread tid, 0: the caller, has waited for it for this long; or
 * at once.
 */
void bell_drop_after(struct bell_culprit *culprit, pid_t tid, uint64_t ns);
void bell_drop(struct bell_culprit *culprit);
/* Waits for the thread's end, after one of those. */
void bell_end(struct bell_culprit *culprit);

#endif
