/* SPDX-License-Identifier: GPL-2.0-only */
/* One thread or process, as a person reads it. */
#ifndef TOOLS_COMMON_REPORT_H
#define TOOLS_COMMON_REPORT_H

#include <stdio.h>
#include <taskrt.h>

/* What is shown of where its time went, by report_states(); and of all. */
#define REPORT_STATES_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST)
#define REPORT_GROUPS		(REPORT_STATES_GROUPS | TASKRT_GROUP_COUNTS)

/* Print everything about one reading.  sites: of its longest waits; NULL: not known. */
void report_task(FILE *out, const struct taskrt_reading *reading,
		 const struct taskrt_sites *sites);

/* Print the same of the children that a process has waited for. */
void report_children(FILE *out, const struct taskrt_reading *reading);

/*
 * Only where its time went: the states, ranked, and the whole waits.
 * not_alive_ns: time before it began and after it ended that is to be shown.
 */
void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns);
void report_waits(FILE *out, const struct taskrt_reading *reading);

#endif
