/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits beside alerts: armed waits that do not end, because an alert comes only when a wait is
 * over, and the longest wait of a command.
 */
#ifndef TOOLS_WATCH_WAITING_H
#define TOOLS_WATCH_WAITING_H

#include <stdio.h>
#include <taskrt.h>

#include "watch/event.h"

/* What is known of a thread by its readings.  It starts all zero. */
struct waiting {
	uint32_t state;
	uint64_t others_ns;	/* the time in all other states */
	uint64_t since_ns;	/* the wait started no later than this */
	uint64_t now_ns;	/* of the last reading */
	uint64_t next_ns;	/* the length at which the wait is reported next */
};

/*
 * Take the next reading of the thread, with TASKRT_GROUP_LONGEST.
 * @options: the options that it was armed with
 * Return: 1: report it now; 0: do not.
 */
int waiting_read(struct waiting *waiting, const struct taskrt_reading *reading,
		 const struct taskrt_recorder_options *options);

#define WAITING_MAX	256	/* bytes that the longest text takes, with its NUL */

/*
 * "still waiting, 12.0 s asleep in futex(2), for a lock or a condition, held by reload (209)": the
 * holder, if the memory of the process shows it.
 */
const char *waiting_text(char text[WAITING_MAX], const struct waiting *waiting, pid_t tgid,
			 pid_t tid);

/*
 * Say on standard error which command was watched, and its longest wait; nothing, if the process
 * cannot be read.
 * states: count as waiting, a bit each; 0: all in which it is kept from running
 */
void waiting_say_longest(struct taskrt *handle, pid_t process, uint32_t states);

/*
 * The holder of a user-space lock, "reload (209)", from the memory of the process: the thread that
 * has the glibc mutex, or the PI futex, for which this thread waits in futex(2).  NULL: not known;
 * reading the memory takes the right to trace.
 */
const char *holder_of_futex(char text[PERSON_MAX], pid_t tgid, pid_t tid);

#endif
