// SPDX-License-Identifier: GPL-2.0-only
/* The holder of a user-space lock, as in module/observe/lock_owner.c, for a wait in progress. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <linux/futex.h>

#include "common/text.h"
#include "watch/waiting.h"

/* A mutex of glibc as 64-bit programs have it; the futex is its first member. */
struct glibc_mutex {
	uint32_t lock, count, owner, users, kind;
};

#define CONTENDED	2
#define KINDS		0x283	/* normal, recursive, error checking, adaptive; their flags */
#define ROBUST		0x10	/* lock is the owner, and FUTEX_WAITERS */

/* Return: 1: it waits in futex(2), with these arguments; 0: it does not, or this is not known. */
static int read_call(pid_t tgid, pid_t tid, unsigned long *arguments)
{
	char line[256];
	long number;

	return text_read_line(line, sizeof(line), "/proc/%d/task/%d/syscall", tgid, tid) &&
	       sscanf(line, "%ld %lx %lx %lx", &number, &arguments[0], &arguments[1],
		      &arguments[2]) == 4 && number == SYS_futex;
}

static int read_memory(pid_t tgid, unsigned long address, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)address, size };

	return process_vm_readv(tgid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static uint32_t owner_of_mutex(const struct glibc_mutex *mutex, uint32_t expected)
{
	uint32_t robust = expected == CONTENDED ? 0 : ROBUST;

	if (mutex->lock != expected || !mutex->users || (mutex->kind & ~KINDS) != robust)
		return 0;
	if (robust && (!(expected & FUTEX_WAITERS) ||
		       mutex->owner != (expected & ~FUTEX_WAITERS)))
		return 0;
	return mutex->owner;
}

static uint32_t find_owner(pid_t tgid, const unsigned long *arguments)
{
	struct glibc_mutex mutex;
	uint32_t word;

	switch (arguments[1] & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return read_memory(tgid, arguments[0], &word, sizeof(word)) ?
		       word & FUTEX_TID_MASK : 0;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return read_memory(tgid, arguments[0], &mutex, sizeof(mutex)) ?
		       owner_of_mutex(&mutex, (uint32_t)arguments[2]) : 0;
	default:
		return 0;
	}
}

const char *holder_of_futex(char text[PERSON_MAX], pid_t tgid, pid_t tid)
{
	unsigned long arguments[3];
	uint32_t owner = read_call(tgid, tid, arguments) ? find_owner(tgid, arguments) : 0;
	char comm[32];

	/* The memory may contain anything: accept only a thread of the process. */
	if (!owner || owner == (uint32_t)tid ||
	    !text_read_line(comm, sizeof(comm), "/proc/%d/task/%u/comm", tgid, owner))
		return NULL;
	return event_person(text, comm, owner);
}
