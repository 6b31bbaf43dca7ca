/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time of a thread or a process went: its states, ranked. */
#ifndef TOOLS_REPORT_STATES_H
#define TOOLS_REPORT_STATES_H

#include <stdio.h>
#include <taskrt.h>

/* What is shown of it, and of what report_waits() shows. */
#define REPORT_STATES_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST)

/*
 * sites: of its longest waits; NULL: not known
 * not_alive_ns: time before it began and after it ended that is to be shown
 * start_ns: see report_longest()
 */
void report_states(FILE *out, const struct taskrt_reading *reading,
		   const struct taskrt_sites *sites, uint64_t not_alive_ns, uint64_t start_ns);

#endif
