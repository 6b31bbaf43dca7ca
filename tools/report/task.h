/* SPDX-License-Identifier: GPL-2.0-only */
/* One thread or process, as a person reads it: who it is, and all that is known of it. */
#ifndef TOOLS_REPORT_TASK_H
#define TOOLS_REPORT_TASK_H

#include <stdio.h>
#include <taskrt.h>

/* What is shown. */
#define REPORT_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST | TASKRT_GROUP_COUNTS)

/* sites: of its longest waits; NULL: not known */
void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites);

/* The same of the children that a process has waited for. */
void report_children(FILE *out, const struct taskrt_reading *reading);

#endif
