/* SPDX-License-Identifier: GPL-2.0-only */
/* What was watched of a command, and the longest wait in it. */
#ifndef TOOLS_WATCH_WATCHED_H
#define TOOLS_WATCH_WATCHED_H

#include <taskrt.h>

/*
 * Say it on standard error; nothing, if the process cannot be read.
 * states: that count as waiting, a bit each; 0: all in which it is kept from running
 */
void watched_say(struct taskrt *handle, pid_t process, uint32_t states);

#endif
