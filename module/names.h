/* SPDX-License-Identifier: GPL-2.0-only */
/* What the numbers of the wire are called, and who a state's parent is. */
#ifndef TASKRT_NAMES_H
#define TASKRT_NAMES_H

#include <linux/types.h>

struct names {
	const char * const *names;
	u32 count;
};

extern const struct names names_states;
extern const struct names names_timers;
extern const struct names names_locks;
extern const struct names names_values;

/* The state to which one that a reader does not know belongs; itself: it has none. */
u8 names_parent(u8 state);

#endif /* TASKRT_NAMES_H */
