/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often each lock of the module is taken, from the lock statistics of the kernel.  Which
 * locks are the module's is found by the addresses of their classes, so nothing here names
 * one, except the lock of its workers, whose class is the kernel's.
 */
#ifndef LOCKSTAT_H
#define LOCKSTAT_H

#include <stdint.h>

#define LOCKSTAT_CLASSES	32

/* Those locks of a class that were seen to be taken. */
struct lockstat_seen {
	unsigned int locks;		/* how many different ones */
	uint64_t acquired;
	uint64_t hottest;		/* of the lock that was taken most often */
};

struct lockstat_class {
	char name[64];			/* as in /proc/lock_stat */
	uint64_t key;			/* of a static lock: its address, as it is traced */
	char symbol[64];		/* the variable that the key is in; "": one of the kernel */
	/* since lockstat_clear() */
	uint64_t acquired, contended;
	/*
	 * While it was watched: locks in the module's static memory, or in any other.  The
	 * kernel may have locks of the same name: where a class has static ones, only those
	 * are the module's.
	 */
	struct lockstat_seen in_static, elsewhere;
};

struct lockstat {
	unsigned int count;
	struct lockstat_class classes[LOCKSTAT_CLASSES];
};

/* The classes of the module that have been in use; keeps what is known of the others. */
void lockstat_find(struct lockstat *stat);
void lockstat_clear(void);
void lockstat_read(struct lockstat *stat);
uint64_t lockstat_acquired(const struct lockstat *stat);

/* In between, each acquisition is traced: which lock of a class is it? */
void lockstat_watch(const struct lockstat *stat);
void lockstat_unwatch(struct lockstat *stat);

/* "global": one of few in static memory, or a worker's; "one of many", in static memory; "of an object". */
const char *lockstat_kind(const struct lockstat_class *class);
const struct lockstat_seen *lockstat_seen(const struct lockstat_class *class);

#endif
