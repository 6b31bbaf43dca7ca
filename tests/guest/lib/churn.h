/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that ends a known number of threads when it is told to. */
#ifndef CHURN_H
#define CHURN_H

#include <stdint.h>
#include <sys/types.h>

struct churn {
	pid_t pid;
	unsigned int threads;
	int go, done;		/* pipes' ends */
};

/* Its records at its end: the threads', the leader's and the process's. */
#define CHURN_RECORDS(threads)	((threads) + 2)

/* The process is there and waits; nothing of it has ended yet. */
void churn_prepare(struct churn *churn, unsigned int threads);
/* The threads come and go, one after the other.  Returns how long they took, in ns. */
uint64_t churn_threads(struct churn *churn);
/* The process ends as well, and was waited for. */
void churn_end(struct churn *churn);

#endif
