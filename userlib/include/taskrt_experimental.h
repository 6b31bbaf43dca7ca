/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libtaskrt: functions that may still change or be removed.
 *
 * All other functions of this library are stable.  The functions declared here are
 * tried out first.  A program that uses them may need changes with each release, and
 * confirms that by a definition:
 *
 *	#define TASKRT_EXPERIMENTAL
 *	#include <taskrt_experimental.h>
 *
 * The symbols have their own symbol version, LIBTASKRT_EXPERIMENTAL.  C and C++.
 */
#ifndef TASKRT_EXPERIMENTAL_H
#define TASKRT_EXPERIMENTAL_H

#include "taskrt.h"

#ifndef TASKRT_EXPERIMENTAL
#warning "taskrt_experimental.h may change with each release: define TASKRT_EXPERIMENTAL to use it"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A window that starts when it was due.  If the thread was late already when it
 * came to its work, the explanation of the window says why, as well.
 */
#define TASKRT_WINDOW_DUE	4u	/* taskrt_window.flags: the window starts when it was due */

/**
 * taskrt_window_begin_due() - start a window when its work was due
 * @due_ns: that time, as taskrt_window.begin_ns; 0: the time for which the timer was set
 *	    that has ended the last wait of the thread, with the slack that it permits
 *
 * The window starts at that time, with TASKRT_WINDOW_DUE in flags, if the thread was
 * waiting then, or was queued after that wait.  If it has started to wait later, the window
 * starts with the wait.  The time before now belongs to the state of the wait until the
 * thread was woken, with the timer TASKRT_TIMER_EXPIRY from the expiry of a timer on, then
 * to TASKRT_STATE_WOKEN, or _THROTTLED, until it got a CPU, and then to whatever state the
 * thread was in.  The timers of faults and interrupts start with the call.
 *
 * Only the last wait is known that was not for a kernel lock or in a page fault: a window
 * should begin before the thread waits for anything else.  The window starts now, as by
 * taskrt_window_begin(), if the time has not come yet; if the thread has been at work since
 * before that time; if @due_ns is 0 and no timer has ended the last wait, or a window has
 * started with that timer already; and if the thread is no longer measured, its counters are
 * not mapped, or TASKRT_TIMER_EXPIRY is not measured.
 *
 * Only the thread itself may call this.
 * Return: as taskrt_window_begin().
 * Real time: as taskrt_window_begin(); it reads a time of each state, and eleven more numbers
 * of the page, and starts again if the thread loses its CPU, up to 64 times.
 */
int taskrt_window_begin_due(struct taskrt_window *w, struct taskrt_self *self, uint64_t due_ns);

/*
 * A deadline: the work that a thread does in each cycle must take at most a given
 * time.  If it takes longer, the reason is kept, and another thread can print it.
 *
 *	taskrt_deadline_open(&d, 0, 10000000);		10 ms
 *	for each cycle {
 *		taskrt_deadline_begin(d);
 *		work();
 *		taskrt_deadline_end(d);
 *	}
 *
 * In another thread:
 *
 *	while (taskrt_deadline_next(d, line, sizeof(line), -1) == 1)
 *		puts(line);
 *
 * One thread may call the functions for the work, while another one calls
 * taskrt_deadline_next().
 */
struct taskrt_deadline;

/**
 * taskrt_deadline_open() - create a deadline for the calling thread
 * @deadline: set to the new handle, or to NULL on failure
 * @flags: as for taskrt_self_open()
 * @ns: the maximum duration of the work in nanoseconds, not 0
 *
 * Return: as taskrt_self_open(); -EINVAL also if @ns is 0.
 * Real time: no, as taskrt_self_open().  It locks about 32 KiB more, as far as
 * RLIMIT_MEMLOCK allows.
 */
int taskrt_deadline_open(struct taskrt_deadline **deadline, unsigned int flags, uint64_t ns);

/**
 * taskrt_deadline_close() - free the deadline, which may be NULL
 * Neither of the two threads may use it after that, see taskrt_deadline_stop().  In a child
 * after fork(2) it frees the child's copy and does not affect the parent.
 * Real time: no.
 */
void taskrt_deadline_close(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_begin() - start the work of a cycle
 * If the previous cycle was not ended, it is discarded.
 * Return: as taskrt_window_begin().
 * Real time: safe if the thread is mapped, as taskrt_self_read().
 */
int taskrt_deadline_begin(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_begin_due() - start the work of a cycle, when it was due
 * @due_ns: as for taskrt_window_begin_due()
 * The work is late if it ends later than the deadline's duration after that time.  If the
 * thread has not waited since the previous cycle ended, the work starts now.
 * Return: as taskrt_window_begin_due().
 * Real time: as taskrt_window_begin_due().
 */
int taskrt_deadline_begin_due(struct taskrt_deadline *deadline, uint64_t due_ns);

/**
 * taskrt_deadline_end() - end the work of a cycle
 *
 * If the work was late, an explanation is queued for taskrt_deadline_next().  This does
 * not wake the other thread.  The queue has room for 64 explanations; further ones
 * are only counted.  The cycle has ended, also if this fails.
 * Return: 0: in time; 1: late; -EINVAL: the work was not started, has ended already, or
 * its start failed; else as taskrt_self_read().
 * Real time: as taskrt_deadline_begin(); a few thousand instructions if late.
 */
int taskrt_deadline_end(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_alert() - report that the thread was late in the last cycle
 * @tag: as for taskrt_self_alert()
 *
 * As taskrt_self_alert(), with the instants at which the last cycle started and ended.
 * Return: as taskrt_self_alert(); -EINVAL: @deadline is NULL.
 * Real time: as taskrt_self_alert().
 */
int taskrt_deadline_alert(struct taskrt_deadline *deadline, const char *tag);

/**
 * taskrt_deadline_self() - get the struct taskrt_self of the thread that opened the deadline
 * It belongs to the deadline: it must not be closed, and is freed with the deadline.
 * Real time: safe.
 */
struct taskrt_self *taskrt_deadline_self(const struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_stop() - end a wait in taskrt_deadline_next()
 * Once the queue is empty, taskrt_deadline_next() returns 0 without waiting.  Any
 * thread may call this.
 * Real time: safe.
 */
void taskrt_deadline_stop(struct taskrt_deadline *deadline);

/**
 * taskrt_deadline_next() - get the next explanation, in the order of the late cycles
 * @line: filled as by taskrt_explanation_format(); 1100 bytes are enough
 * @size: the size of @line
 * @timeout_ms: the maximum time to wait; 0: do not wait; negative: until
 * taskrt_deadline_stop() is called
 *
 * An example is "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, ...".  If
 * explanations were dropped because the queue was full, the line is "late, but the
 * queue of reports was full: 3".  While it waits, the function polls the queue every
 * 10 ms, so that the late thread need not make a system call to wake it.
 *
 * Return: 1: *line was filled; 0: the timeout expired, or the deadline was stopped;
 * -EINTR: interrupted by a signal; -EINVAL: an argument is invalid; -ECHILD: in a child
 * after fork(2).
 * Real time: no, because it sleeps; safe if @timeout_ms is 0.
 */
int taskrt_deadline_next(struct taskrt_deadline *deadline, char *line, size_t size,
			 int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* TASKRT_EXPERIMENTAL_H */
