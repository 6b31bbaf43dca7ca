/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown, as set by the command line and by keys. */
#ifndef TOOLS_TOP_WANT_H
#define TOOLS_TOP_WANT_H

#include <stdint.h>
#include <sys/types.h>

#include "common/arg.h"
#include "common/target.h"
#include "top/column.h"

struct top_want {
	pid_t tgid;		/* 0: any process */
	char name[16];		/* of processes, as target_is_name() has it; "": any */
	int by_user;
	uint32_t uid;		/* if by_user */
	int rt;			/* only the real-time classes */
	enum top_column sort;
	int reverse;
	uint64_t interval_ns;
	uint64_t lines;		/* the maximum number of threads; 0: as many as there is room for */
	uint64_t rounds;	/* of --batch; 0: until interrupted */
	int json;
};

extern const struct top_want top_want_default;

/*
 * Set what the user has typed.  An empty process or user stands for all.
 * Return: 0; -1: *want is unchanged, and why says what is wrong.
 */
int top_want_process(struct top_want *want, const char *text, char why[ARG_WHY_MAX]);
int top_want_user(struct top_want *want, const char *text, char why[ARG_WHY_MAX]);
int top_want_sort(struct top_want *want, const char *text, char why[ARG_WHY_MAX]);
int top_want_interval(struct top_want *want, const char *text, char why[ARG_WHY_MAX]);

/* " of process 100, of user audio, real-time", or nothing. */
const char *top_want_filters(const struct top_want *want, char text[ARG_WHY_MAX]);

/* The groups that must be read of each thread if these columns are shown, a bit each. */
uint32_t top_want_groups(const struct top_want *want, unsigned int columns);

/* Must the classes of all threads be read? */
int top_want_classes(const struct top_want *want);

#endif
