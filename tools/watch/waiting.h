/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits that do not end, of armed threads: an alert comes only when a wait is over. */
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
	uint64_t next_ns;	/* how long the wait takes when it is reported next */
};

/*
 * Take the next reading of the thread, with TASKRT_GROUP_LONGEST.
 * @options: with which it was armed
 * Return: 1: report it now; 0: not.
 */
int waiting_read(struct waiting *waiting, const struct taskrt_reading *reading,
		 const struct taskrt_recorder_options *options);

#define WAITING_MAX	256	/* bytes that the longest text takes, with its NUL */

/*
 * "still waiting, 12.0 s asleep in futex(2), for a lock or a condition, held by reload (209)":
 * the holder as far as the memory of the process tells.
 */
const char *waiting_text(char text[WAITING_MAX], const struct waiting *waiting, pid_t tgid,
			 pid_t tid);

/*
 * Say on standard error what was watched of a command, and the longest wait in it; nothing,
 * if the process cannot be read.
 * states: that count as waiting, a bit each; 0: all in which it is kept from running
 */
void waiting_say_longest(struct taskrt *handle, pid_t process, uint32_t states);

/*
 * The holder of a lock in user space, by the memory of the process.  "reload (209)": the
 * thread that has the mutex of glibc, or the PI futex, for which this one
 * waits in futex(2).  NULL: it is not known; to read the memory takes the right to trace.
 */
const char *holder_of_futex(char text[PERSON_MAX], pid_t tgid, pid_t tid);

#endif
