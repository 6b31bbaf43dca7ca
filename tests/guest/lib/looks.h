/* SPDX-License-Identifier: GPL-2.0-only */
/* A query between two self-reads of the same thread: how often they did not agree. */
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

/* tid: whose self it is; 0: the caller's. */
void looks_look(struct looks *looks, struct taskrt_self *self, pid_t tid);
/* A check for each. */
void looks_check(const struct looks *looks, const char *name);
/* The same as bits, for a child that cannot say. */
unsigned int looks_wrong(const struct looks *looks);

/* A little of everything, so that every total moves; device: device_open()'s. */
void looks_live(int device, unsigned int round);

#endif
