/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener of taskstats, the kernel's own interface.  It notes whose records are
 * delivered.
 */
#ifndef STATS_LISTENER_H
#define STATS_LISTENER_H

#include <sys/types.h>

#define STATS_LISTENER_MOST	65536

struct stats_listener {
	int fd;				/* -1: no taskstats in this kernel */
	unsigned short family;
	unsigned int messages, overruns;/* overruns: some were lost */
	unsigned int count;
	pid_t heard[STATS_LISTENER_MOST];	/* threads, in the order of their records */
};

/* Listens on all CPUs, with the usual receive buffer. */
void stats_listener_open(struct stats_listener *listener);
/* Reads what is there, and never blocks. */
void stats_listener_read(struct stats_listener *listener);
int stats_listener_heard(const struct stats_listener *listener, pid_t tid);

#endif
