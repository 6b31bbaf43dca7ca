/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The elements of a reading: its states, timers, kinds of locks and values, one after the
 * other.  All that shows a reading, as text or as JSON, goes through this.
 */
#ifndef TOOLS_COMMON_ELEMENT_H
#define TOOLS_COMMON_ELEMENT_H

#include <taskrt.h>

struct element {
	enum taskrt_name_kind kind;
	unsigned int number;
	const char *name;		/* as names_of() */
	int measured;

	/* Each of these is 0 if it was not measured or not requested. */
	int timed, counted, peaked;
	uint64_t ns;			/* if timed */
	uint64_t count;			/* if counted: of intervals; of a value: itself */
	struct taskrt_longest longest;	/* if peaked */
};

/* The number must be below the room of its kind. */
struct element element_of(const struct taskrt_reading *reading, enum taskrt_name_kind kind,
			  unsigned int number);

/* The first element from this number on that is shown.  Return: 0: there is none. */
int element_find(struct element *element, const struct taskrt_reading *reading,
		 enum taskrt_name_kind kind, unsigned int from);

/* All elements of a kind that are shown, see names_shown(). */
#define for_each_element(element, reading, kind)			\
	for (int found_ = element_find(element, reading, kind, 0); found_; \
	     found_ = element_find(element, reading, kind, (element)->number + 1))

#endif
