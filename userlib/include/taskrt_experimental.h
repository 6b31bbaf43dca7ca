/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: what may still change, or go.
 *
 * Everything else in this library is for ever; what is declared here is to be
 * used first.  A program that includes this says that it knows, and must be ready to
 * be changed with the next release:
 *
 *	#define TASKRT_EXPERIMENTAL
 *	#include <taskrt_experimental.h>
 *
 * The symbols have a version of their own, LIBTASKRT_EXPERIMENTAL.  C and C++.
 */
#ifndef TASKRT_EXPERIMENTAL_H
#define TASKRT_EXPERIMENTAL_H

#include "taskrt.h"

#ifndef TASKRT_EXPERIMENTAL
#warning "taskrt_experimental.h may change with each release: define TASKRT_EXPERIMENTAL if you know"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A deadline: one thread's work, again and again, that is to take no longer than
 * so much; and the reasons why it did, for another thread to tell.
 *
 *	taskrt_deadline_open(&d, 0, 10000000);		10 ms
 *	for each cycle {
 *		taskrt_deadline_begin(d);
 *		work();
 *		taskrt_deadline_end(d);
 *	}
 *
 *	and in another thread:
 *	while (taskrt_deadline_next(d, line, sizeof(line), -1) == 1)
 *		puts(line);
 *
 * Two threads use it at a time, one at each end.
 */
struct taskrt_deadline;

/**
 * taskrt_deadline_open() - a deadline of the calling thread
 * @deadline: where the handle goes; NULL on failure
 * @flags: as of taskrt_self_open()
 * @ns: what is longer than this, not 0, is late
 *
 * Return: as taskrt_self_open().
 * Real time: no, as taskrt_self_open(), and it locks some 32 KiB more as far as RLIMIT_MEMLOCK
 * lets it.
 */
int taskrt_deadline_open(struct taskrt_deadline **deadline, unsigned int flags, uint64_t ns);

/**
 * taskrt_deadline_close() - give everything back; NULL is allowed
 * When neither of the two threads uses it any more, see taskrt_deadline_stop().
 * Real time: no.
 */
void taskrt_deadline_close(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_begin() - the work begins, also anew if it was not ended
 * Return: as taskrt_window_begin().
 * Real time: safe, as taskrt_self_read(), where taskrt_self_mapped() would be 1.
 */
int taskrt_deadline_begin(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_end() - the work is done; if it was late, why is kept for taskrt_deadline_next()
 *
 * Nobody is woken up for that.  When 64 explanations wait to be told, further ones are
 * counted only.
 * Return: 0: in time; 1: late; -EINVAL: it was not begun, or beginning failed; else as
 * taskrt_self_read().
 * Real time: safe, as taskrt_deadline_begin(); some thousand instructions when late.
 */
int taskrt_deadline_end(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_self() - the handle of the thread that opened it, for all that takes one
 * It is the deadline's: not to be closed, and gone with it.
 * Real time: safe.
 */
struct taskrt_self *taskrt_deadline_self(const struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_stop() - let taskrt_deadline_next() return 0 for ever, once all is told
 * By any thread.
 * Real time: safe.
 */
void taskrt_deadline_stop(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_next() - why it was late, in the order in which it was
 * @line: as of taskrt_explanation_format(), under 600 bytes; @size: its room
 * @timeout_ms: wait so long at most; 0: do not wait; negative: until taskrt_deadline_stop()
 *
 * "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, ...", or "late, and not told why for
 * want of room: 3".  It looks every 10 ms while it waits, so that the other end need
 * not make a system call.
 *
 * Return: 1: *line was filled; 0: none came in time, or it is stopped; -EINTR: a signal came first;
 * -EINVAL.
 * Real time: no, it sleeps; with a timeout_ms of 0: safe.
 */
int taskrt_deadline_next(struct taskrt_deadline *deadline, char *line, size_t size,
			 int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_EXPERIMENTAL_H */
