/* SPDX-License-Identifier: GPL-2.0-only */
/* The holder of a lock in user space, by the memory of the process. */
#ifndef TOOLS_WATCH_HOLDER_H
#define TOOLS_WATCH_HOLDER_H

#include <sys/types.h>

#include "watch/event.h"

/*
 * "reload (209)": the thread that has the mutex of glibc, or the PI futex, for which this one
 * waits in futex(2).  NULL: it is not known; to read the memory takes the right to trace.
 */
const char *holder_of_futex(char text[PERSON_MAX], pid_t tgid, pid_t tid);

#endif
