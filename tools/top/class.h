/* SPDX-License-Identifier: GPL-2.0-only */
/* The scheduling class of a thread, which the module does not report. */
#ifndef TOOLS_TOP_CLASS_H
#define TOOLS_TOP_CLASS_H

#include <sys/types.h>

struct top_class {
	int asked;	/* 0: it was not read yet */
	int policy;	/* SCHED_*; -1: not known, because the thread has ended */
	int priority;	/* 1 to 99 of FIFO and RR, else 0 */
};

/* Read the class, with two system calls.  That a thread has ended is no error. */
void top_class_ask(struct top_class *class, pid_t tid);

/* FIFO, RR or DEADLINE. */
int top_class_is_rt(const struct top_class *class);

/* The order in which classes run: the highest runs first.  -1: not known. */
int top_class_rank(const struct top_class *class);

/* The names are those of ps(1): "FF", "TS"; "?" if it is not known. */
const char *top_class_name(const struct top_class *class);

#endif
