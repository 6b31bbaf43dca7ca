/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread does at this moment, as the module has it. */
#ifndef STATE_H
#define STATE_H

#include <stdint.h>
#include <sys/types.h>
#include <taskrt.h>

/*
 * Waits until the thread is in that state.  It has left its CPU then, unlike one whose
 * letter in /proc has changed.  Returns its totals; bails out if it does not come to
 * that.
 */
void state_await(struct taskrt *handle, pid_t tid, unsigned int state,
		 struct taskrt_reading *reading);
/* Until it has been in that state for ns, without a break; it may wait for less before. */
void state_await_for(struct taskrt *handle, pid_t tid, unsigned int state, uint64_t ns);
/* Until it has ended, after its last switch; whoever waits for it has yet to do so. */
void state_await_end(struct taskrt *handle, pid_t tid);

#endif
