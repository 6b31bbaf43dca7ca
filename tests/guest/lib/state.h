/* SPDX-License-Identifier: GPL-2.0-only */
/* The present state of a thread, as the module reports it. */
#ifndef STATE_H
#define STATE_H

#include <stdint.h>
#include <sys/types.h>
#include <taskrt.h>

/*
 * Waits until the thread is in that state, and has left its CPU, unlike a thread whose
 * letter in /proc has changed.  Returns its totals; bails out if it does not reach the
 * state.
 */
void state_await(struct taskrt *handle, pid_t tid, unsigned int state,
		 struct taskrt_reading *reading);
/* Was the thread in that state all the time from the one to the other? */
int state_has_stayed(const struct taskrt_reading *first, const struct taskrt_reading *second,
		     unsigned int state);
/*
 * Waits until the thread has been in that state for ns without a break; it may wait for
 * less before that.  Bails out if it does not stay there.
 */
void state_await_for(struct taskrt *handle, pid_t tid, unsigned int state, uint64_t ns);
/*
 * Waits until the thread has ended, after its last switch; it must not be reaped before
 * that.
 */
void state_await_end(struct taskrt *handle, pid_t tid);

#endif
