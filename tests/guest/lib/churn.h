/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that creates and ends a known number of threads on request. */
#ifndef CHURN_H
#define CHURN_H

#include <stdint.h>
#include <sys/types.h>

struct churn {
	pid_t pid;
	unsigned int threads;
	int go, done;		/* pipes' ends */
};

/* The number of exit records: the threads', the leader's and the process's. */
#define CHURN_RECORDS(threads)	((threads) + 2)

/* Starts the process, which then waits; none of its threads has ended yet. */
void churn_prepare(struct churn *churn, unsigned int threads);
/* The threads begin and end, one after the other.  Returns how long that took, in ns. */
uint64_t churn_threads(struct churn *churn);
/* Ends the process, and waits for it. */
void churn_end(struct churn *churn);

#endif
