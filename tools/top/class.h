/* SPDX-License-Identifier: GPL-2.0-only */
/* The scheduling class of a thread, which the module does not tell. */
#ifndef TOOLS_TOP_CLASS_H
#define TOOLS_TOP_CLASS_H

#include <sys/types.h>

struct top_class {
	int asked;	/* 0: nobody has wanted to know it yet */
	int policy;	/* SCHED_*, or -1: it is not known, for the thread has ended */
	int priority;	/* 1 to 99 of FIFO and RR, else 0 */
};

/* Two system calls; what is not known any more is not an error. */
void top_class_ask(struct top_class *class, pid_t tid);

/* FIFO, RR or DEADLINE. */
int top_class_is_rt(const struct top_class *class);

/* What runs before what: the higher the earlier.  -1: not known. */
int top_class_rank(const struct top_class *class);

/* As ps(1) calls them: "FF", "TS"; "?" where it is not known. */
const char *top_class_name(const struct top_class *class);

#endif
