/* SPDX-License-Identifier: GPL-2.0-only */
/* A listener of taskstats, the kernel's own: who is told by it, and who is not. */
#ifndef STATS_EAR_H
#define STATS_EAR_H

#include <sys/types.h>

#define STATS_EAR_MOST	65536

struct stats_ear {
	int fd;				/* -1: no taskstats in this kernel */
	unsigned short family;
	unsigned int messages, overruns;/* overruns: told that some were lost */
	unsigned int count;
	pid_t heard[STATS_EAR_MOST];	/* threads, in the order in which they are told */
};

/* Listens on all CPUs, with the usual receive buffer. */
void stats_ear_open(struct stats_ear *ear);
/* Takes what is there, and never blocks. */
void stats_ear_read(struct stats_ear *ear);
int stats_ear_heard(const struct stats_ear *ear, pid_t tid);

#endif
