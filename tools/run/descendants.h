/* SPDX-License-Identifier: GPL-2.0-only */
/* The descendants of a command that have ended: their sum. */
#ifndef TOOLS_RUN_DESCENDANTS_H
#define TOOLS_RUN_DESCENDANTS_H

#include <sys/types.h>
#include <taskrt.h>

#include "common/error.h"

struct descendants {
	int error;			/* 0, or why they could not be read, as a negative errno */
	char text[ERROR_MAX];		/* the same as text */
	int pending;			/* some are missing in the sum */
	int still_run;			/* others do */
	struct taskrt_reading sum;
	struct taskrt_reading before;	/* private: of our children before the command */
};

/* Before the command is started. */
void descendants_begin(struct descendants *descendants, struct taskrt *handle);

/* The command has ended and is not reaped yet: reap its orphans, and make the sum. */
void descendants_read(struct descendants *descendants, struct taskrt *handle, pid_t command);

/*
 * The sum of several readings.  Totals are added, of longest intervals the longest stays, and
 * only what both have measured is measured.  Identity and instants are of no sum.
 */
void sum_add(struct taskrt_reading *sum, const struct taskrt_reading *more);

/* Is there any in the sum? */
int descendants_any(const struct descendants *descendants);

#endif
