/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to the machine meanwhile: processors come and go, tasks are frozen. */
#ifndef SHAKE_H
#define SHAKE_H

struct shake_counts {
	unsigned long unplugged;	/* processors that were taken offline, and brought back */
	unsigned long frozen;		/* times that a cgroup was frozen, and thawed */
};

void shake_start(void);
/* All processors are back, and nothing is frozen. */
void shake_stop(void);
struct shake_counts shake_counts(void);

/* A process with that many threads, which sleep. */
void shake_crowd_start(unsigned long threads);
void shake_crowd_stop(void);

#endif
