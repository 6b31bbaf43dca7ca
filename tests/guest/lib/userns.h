/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes in a user namespace of their own, with several ids. */
#ifndef USERNS_H
#define USERNS_H

#include <sys/types.h>

/*
 * Starts a process as root of a fresh user namespace that @owner makes.  @map is its
 * uid_map and its gid_map, which root writes, as newuidmap(1) does.  Its status is what
 * fn returned, or 200.
 */
pid_t userns_start(uid_t owner, const char *map, int (*fn)(void *arg), void *arg);
/* Waits for its end and returns its status; bails out if it is 200. */
int userns_wait(pid_t pid);

/*
 * Runs fn as root of two containers, which have no id in common and no owner but root: in the
 * second while the first still has what it took.  Stores what fn returned in each.
 */
void userns_beside(int (*fn)(void *arg), int taken[2]);

/*
 * Becomes that user for a while, and root of the user namespace again.  Exits with 200 if
 * it cannot.
 */
void userns_enter_user(uid_t uid);
void userns_leave_user(void);

#endif
