/* SPDX-License-Identifier: GPL-2.0-only */
/* Five reasons to be late, and how to have each. */
#ifndef CAUSE_H
#define CAUSE_H

#include <stdint.h>

struct cause {
	const char *name;	/* on the command line */
	const char *story;	/* what happens, for the reader */
	unsigned int verdict;	/* the row of the report it has to end in */
	void (*prepare)(uint64_t ns);	/* before the clock starts; may be NULL */
	void (*happen)(uint64_t ns);	/* in the middle of the work */
};

/* The causes, in the order of the demonstration; the last has no name. */
extern const struct cause causes[];
const struct cause *cause_find(const char *name);

#endif
