/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares a query with two self-reads of the same thread before and after it: how often
 * did they not agree?
 */
#ifndef LOOKS_H
#define LOOKS_H

#include <sys/types.h>
#include <taskrt.h>

struct looks {
	struct taskrt *handle;
	unsigned int broken;		/* a read that does not add up */
	unsigned int outside;		/* a query's total is not between those of the reads */
	unsigned int longest;		/* the same of the longest intervals */
	unsigned int order;		/* the same of the instant */
	unsigned int identity, valid;
};

/* tid: the thread of the self; 0: the caller. */
void looks_look(struct looks *looks, struct taskrt_self *self, pid_t tid);
/* One TAP check for each of them. */
void looks_check(const struct looks *looks, const char *name);
/* The same, returned as bits, for a child that cannot print. */
unsigned int looks_wrong(const struct looks *looks);

/* Does a little of everything, so that every total moves; device is that of device_open(). */
void looks_live(int device, unsigned int round);

#endif
