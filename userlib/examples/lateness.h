/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions that make the calling thread late for a known reason, for late_jack.c. */
#ifndef LATENESS_H
#define LATENESS_H

#include <stdint.h>

struct lateness {
	const char *name;
	unsigned int cause;	/* enum taskrt_cause: the largest cause of the explanation */
	void (*happen)(void);	/* makes the calling thread late */
	void (*prepare)(void);	/* NULL, or to be called before happen() */
	int (*is_ready)(void);	/* NULL, or non-zero when happen() may be called */
};

#define NR_LATENESSES	8
#define SERVER_CPU	0	/* of the JACK server, and of all threads but the callback's */
extern const struct lateness latenesses[NR_LATENESSES];

/*
 * lateness_init() - must be called before any function of latenesses[]
 * @ns: how long each function delays its caller
 * @cpu: the CPU of the thread that will be late; another CPU must be available for the
 * helper threads
 * @priority: a real-time priority above the priorities of the thread that will be late and of
 * the JACK server
 * Return: 0; -1, with errno set.
 */
int lateness_init(uint64_t ns, int cpu, int priority);

#endif
