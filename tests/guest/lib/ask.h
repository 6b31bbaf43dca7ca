/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asks the module as somebody else: as another user, with few capabilities, on another's
 * socket.
 */
#ifndef ASK_H
#define ASK_H

#include <stdint.h>
#include <sys/types.h>

#include "raw.h"

#define ASK_USER	1000
#define ASK_OTHER	1001
/* A capability's bit in ask_become(); from linux/capability.h, which is older than some. */
#define ASK_CAP(number)		(1ULL << (number))
#define ASK_CAP_NET_ADMIN	ASK_CAP(12)
#define ASK_CAP_SYS_PTRACE	ASK_CAP(19)
#define ASK_CAP_SYS_ADMIN	ASK_CAP(21)
#define ASK_CAP_SYS_RESOURCE	ASK_CAP(24)
#define ASK_CAP_PERFMON		ASK_CAP(38)

/* Who a process is to be. */
struct ask_who {
	uid_t uid, euid;
	gid_t gid;
	uint64_t caps;		/* all others are dropped */
};

/* Turns the caller into that for good; exits with a status if it cannot. */
void ask_become(const struct ask_who *who);
/* Keeps only these capabilities, of those that the process has. */
void ask_keep_caps(uint64_t caps);

/*
 * Starts a process with that identity that does nothing.  Returns when it is ready.
 * dumpable: the value for prctl(PR_SET_DUMPABLE), which is set last.
 */
pid_t ask_target(const struct ask_who *who, int dumpable);
void ask_end(pid_t target);

/*
 * Runs fn in a process of its own and returns what fn returned, which is an error number
 * of either sign or a small count, as a positive number from 0 to 255.
 */
int ask_in_child(int (*fn)(void *arg), void *arg);

/*
 * A process with that identity sends a GET of type and id on a fresh socket.  Returns a
 * positive error number.
 */
int ask_as(const struct ask_who *who, uint16_t type, uint32_t id);

#endif
