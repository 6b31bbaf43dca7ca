/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of states, timers, kinds of locks and values, and which of them are shown.
 *
 * The module may have more of them than the library, and the library more than the
 * command, so nothing here depends on their number.
 */
#ifndef TOOLS_COMMON_NAMES_H
#define TOOLS_COMMON_NAMES_H

#include <stddef.h>
#include <taskrt.h>

/* The number of bits in struct taskrt_measured. */
#define NAMES_MAX	64

#define NAMES_KINDS	(TASKRT_NAME_VALUE + 1)

/*
 * The name in JSON; never NULL, and never freed.  A name that the library does not have is
 * read from the module, once; if that has none either, the name contains the number.
 */
const char *names_of(enum taskrt_name_kind kind, unsigned int number);

static inline const char *names_state(unsigned int state)
{
	return names_of(TASKRT_NAME_STATE, state);
}

/*
 * The states that a word of length bytes may mean, a bit each: the state with this name, or every
 * state whose name, or a part of it behind a "_", starts with the word.
 */
uint32_t names_find_states(const char *word, size_t length);

/* The names of these states, separated by blanks; ~0: of all states. */
const char *names_states(uint32_t states);

/*
 * The state that a newer state is a kind of.  Return: the state itself if it has no parent.
 */
unsigned int names_parent(unsigned int state);

/* Is the state, or one that it is a kind of, among these? */
int names_state_is_among(unsigned int state, uint32_t states);

/* The name of a kind in JSON: "states", "timers". */
const char *names_kind(enum taskrt_name_kind kind);

/* The bits of one kind in *measured. */
uint64_t names_measured(const struct taskrt_measured *measured, enum taskrt_name_kind kind);

/*
 * An element that most kernels measure is always shown, if need be as not measured; any other
 * element only if it was measured.  A reading has room for every element that is shown.
 */
int names_shown(enum taskrt_name_kind kind, uint64_t measured, unsigned int number);

/* All that most kernels can measure. */
extern const struct taskrt_measured names_usual;

/* Take the names from the last taskrt_get_info() on the handle. */
void names_learn(const struct taskrt *handle, uint32_t nr_names);

/* The names of the bits of taskrt_stats.valid, of taskrt_stats.flags and of groups. */
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
