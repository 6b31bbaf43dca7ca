/* SPDX-License-Identifier: GPL-2.0-only */
/* One exit, a line. */
#ifndef TOOLS_LISTEN_LINE_H
#define TOOLS_LISTEN_LINE_H

#include <stdio.h>
#include <taskrt.h>

/* What is shown of an exit, and, if cycles are counted, besides. */
#define LINE_GROUPS		TASKRT_GROUP_TIMES
#define LINE_GROUPS_OF_CYCLES	TASKRT_GROUP_COUNTS

void line_head(FILE *out);

/* A loss is a line as well, in the place of the lost records. */
void line_print(FILE *out, const struct taskrt_exit *exit);

#endif
