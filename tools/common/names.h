/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How states, timers, kinds of locks and values are called, and which of them are shown.
 *
 * The module may know of more than the library, and the library of more than we:
 * nothing here depends on how many there are.
 */
#ifndef TOOLS_COMMON_NAMES_H
#define TOOLS_COMMON_NAMES_H

#include <taskrt.h>

/* As taskrt_measured tells them apart: 64 bits. */
#define NAMES_MAX	64

#define NAMES_KINDS	(TASKRT_NAME_VALUE + 1)

/*
 * The name as JSON has it, which lasts; never NULL.  What the library does not know the
 * module is asked for, once; what that does not know either is called by its number.
 */
const char *names_of(enum taskrt_name_kind kind, unsigned int number);

static inline const char *names_state(unsigned int state)
{
	return names_of(TASKRT_NAME_STATE, state);
}

/* Return: the state of this name, of so many bytes; -1: there is none. */
int names_find_state(const char *name, size_t length);

/*
 * Of a state that a table of ours lacks: the one whose cause it shares.  Return: itself: it
 * has none.
 */
unsigned int names_parent(unsigned int state);

/* "states", "timers"...: the kinds, as JSON has them. */
const char *names_kind(enum taskrt_name_kind kind);

/* The bits of one kind. */
uint64_t names_measured(const struct taskrt_measured *measured, enum taskrt_name_kind kind);

/*
 * What there is on most kernels is shown everywhere, if only to say that it was not
 * measured; anything else where it was.  There is room for whatever is shown.
 */
int names_shown(enum taskrt_name_kind kind, uint64_t measured, unsigned int number);

/* That what there is on most kernels is measured. */
extern const struct taskrt_measured names_usual;

/* Take the names from the answer that the handle has got to taskrt_get_info(). */
void names_learn(const struct taskrt *handle, uint32_t nr_names);

#endif
