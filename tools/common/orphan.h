/* SPDX-License-Identifier: GPL-2.0-only */
/* Descendants of a command whose parents have ended become children of taskrt. */
#ifndef TOOLS_COMMON_ORPHAN_H
#define TOOLS_COMMON_ORPHAN_H

#include <stdint.h>
#include <sys/types.h>

/* Become the parent of orphans from now on.  Present children do not belong to the command. */
void orphan_adopt(void);

/*
 * Reap all children that have ended, except command; 0: no exception.
 * Return: 1: other descendants still run; known only after the end of the command.
 */
int orphan_reap(pid_t command);

/* Does /proc show that pid descends from ancestor, and not through a child that we had before? */
int orphan_descends(uint32_t ancestor, uint32_t pid);

/*
 * Send a signal to the command, and to all our descendants that have stayed in our process
 * group: daemons, and jobs of another shell, are left alone.
 * Return: the number of these processes.
 */
int orphan_signal(pid_t command, int number);

#endif
