/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reasons to be late, and how to have each: for late_jack.c. */
#ifndef LATENESS_H
#define LATENESS_H

#include <stdint.h>

struct lateness {
	const char *name;
	unsigned int cause;	/* enum taskrt_cause: what has to come out */
	void (*happen)(void);
	void (*prepare)(void);	/* if not NULL: this before, */
	int (*is_ready)(void);	/* and it waits for that */
};

#define NR_LATENESSES	7
extern const struct lateness latenesses[NR_LATENESSES];

/*
 * Before any of them: so much it will be.  They happen to a thread of less than
 * this real-time priority, which runs on this CPU; on another there has to be
 * room for ours.  Return: 0; or -1, and errno says why.
 */
int lateness_init(uint64_t ns, int cpu, int priority);

#endif
