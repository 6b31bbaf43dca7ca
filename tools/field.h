/* SPDX-License-Identifier: GPL-2.0-only */
/* What taskrt_stats.valid and .flags speak of, by name. */
#ifndef TOOLS_FIELD_H
#define TOOLS_FIELD_H

#include <stddef.h>
#include <stdint.h>

struct field {
	uint64_t bit;
	const char *name;	/* of the bit, in lower case */
	const char *covers;	/* the fields, as JSON names them; NULL for a flag */
};

extern const struct field field_valid[];
extern const size_t field_valid_count;

extern const struct field field_flags[];
extern const size_t field_flags_count;

/* All of TASKRT_VALID_* that a module of this release may measure. */
uint64_t field_valid_all(void);

const char *field_state_name(unsigned int state);	/* never NULL */
const char *field_state_gloss(unsigned int state);	/* in a few words */

#endif
