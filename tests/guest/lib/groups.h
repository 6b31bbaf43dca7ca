/* SPDX-License-Identifier: GPL-2.0-only */
/* All groups that a query may request beside the statistics. */
#ifndef GROUPS_H
#define GROUPS_H

#include <linux/taskrt.h>

#define EVERY_GROUP	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* One of the other counters of a reading: VALUE(reading, MINOR_FAULTS). */
#define VALUE(reading, name)	((reading).counts.values[TASKRT_VALUE_##name])

#endif
