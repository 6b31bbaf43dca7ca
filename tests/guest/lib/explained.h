/* SPDX-License-Identifier: GPL-2.0-only */
/* Windows that are late for one reason: is it named, and is all of their time? */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include <stdint.h>
#include <taskrt.h>

struct reason {
	const char *name;
	uint32_t cause;
	void (*make)(uint64_t ns);
	uint64_t least, most;		/* ns, of which a random one is made */
	int whole;			/* the cause has at least these ns */
	int due;			/* the window begins when its timer was due to expire */
};

/*
 * Makes the caller a real-time thread of this CPU that is not throttled, and whose interrupts
 * are measured; and ends that.  Needs the CPU.
 */
struct taskrt_self *explained_begin(unsigned int cpu);
void explained_end(struct taskrt_self *self);

/*
 * As many windows as TASKRT_TEST_ROUNDS says (8).  The host of the emulator, or another
 * thread, may be the greater reason now and then: such a window is repeated, and counted.
 */
void explained_check(struct taskrt_self *self, const struct reason *reason);

#endif
