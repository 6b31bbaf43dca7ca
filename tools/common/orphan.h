/* SPDX-License-Identifier: GPL-2.0-only */
/* Descendants of a command whose parents have ended become children of taskrt. */
#ifndef TOOLS_COMMON_ORPHAN_H
#define TOOLS_COMMON_ORPHAN_H

#include <stdint.h>
#include <sys/types.h>

/* Become their parent from now on.  Who is our child already is none of the command's. */
void orphan_adopt(void);

/*
 * Reap all that have ended, except the command; 0: that as well.
 * Return: do others still run?  Known only if the command has ended.
 */
int orphan_reap(pid_t command);

/*
 * Is ancestor among the parents of pid, as far as /proc shows, and not by way of a child
 * that we had before?
 */
int orphan_descends(uint32_t ancestor, uint32_t pid);

/*
 * Send a signal to the command, and to all our descendants that have stayed in our process
 * group: daemons, and jobs of another shell, are left alone.
 * Return: the number of these processes.
 */
int orphan_signal(pid_t command, int number);

#endif
