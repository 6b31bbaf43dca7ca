/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of the bits of taskrt_stats.valid and .flags and of groups. */
#ifndef TOOLS_COMMON_FIELD_H
#define TOOLS_COMMON_FIELD_H

#include <stddef.h>
#include <stdint.h>

struct field {
	uint64_t bit;
	const char *name;	/* of the bit, in lower case */
	const char *covers;	/* the fields, as JSON names them; NULL for a flag or group */
};

extern const struct field field_valid[];
extern const size_t field_valid_count;

extern const struct field field_flags[];
extern const size_t field_flags_count;

extern const struct field field_groups[];
extern const size_t field_groups_count;

/* All of TASKRT_VALID_* that a module of this release may measure. */
uint64_t field_valid_all(void);

/* Bits that a sum cannot have. */
#define FIELD_VALID_OF_ONE	(TASKRT_VALID_IDENTITY | TASKRT_VALID_STATE | TASKRT_VALID_CPU | \
				 TASKRT_VALID_CGROUP)

#endif
