/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was not measured says so and is never 0; what is 0 is left out where its absence says as
 * much.
 */
#ifndef TOOLS_REPORT_MISSING_H
#define TOOLS_REPORT_MISSING_H

#include <taskrt.h>
#include "common/units.h"

#define NOT_MEASURED	"not measured"

/* text: room for UNITS_MAX */
static inline const char *time_or_not(char *text, const struct taskrt_stats *stats,
				      uint64_t valid, uint64_t ns)
{
	return taskrt_has(stats, valid) ? units_time(text, ns) : NOT_MEASURED;
}

#endif
