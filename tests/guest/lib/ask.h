/* SPDX-License-Identifier: GPL-2.0-only */
/* Ask as somebody else: another user, with few capabilities, on another's socket. */
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
#define ASK_CAP_PERFMON		ASK_CAP(38)

/* Who a process is to be. */
struct ask_who {
	uid_t uid, euid;
	gid_t gid;
	uint64_t caps;		/* all others are dropped */
};

/* The caller becomes that, for good; exits with a status if it cannot. */
void ask_become(const struct ask_who *who);
/* Only these capabilities, of those there are. */
void ask_keep_caps(uint64_t caps);

/*
 * A process that is that and does nothing.  Returns when it is ready.
 * dumpable: as prctl(PR_SET_DUMPABLE) has it, set last.
 */
pid_t ask_target(const struct ask_who *who, int dumpable);
void ask_end(pid_t target);

/*
 * Runs fn in a process of its own and returns what it returned, an error number
 * of either sign or a small count: 0 to 255, as a positive number.
 */
int ask_in_child(int (*fn)(void *arg), void *arg);

/* GET of type and id by such a process on a fresh socket: a positive error number. */
int ask_as(const struct ask_who *who, uint16_t type, uint32_t id);
/* The same on a socket that the caller opened. */
int ask_as_on(const struct ask_who *who, struct raw *raw, uint16_t type, uint32_t id);

#endif
