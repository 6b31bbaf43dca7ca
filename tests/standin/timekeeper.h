/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module's clock.c knows of the kernel's timekeeper, for programs in user space that
 * are built with it.  u32 and u64 are the includer's.
 */
#ifndef TIMEKEEPER_H
#define TIMEKEEPER_H

#define NOTIFY_OK		1
#define VDSO_CLOCKMODE_NONE	0
#define VDSO_CLOCKMODE_TSC	1
#define ktime_to_ns(t)		(t)

struct notifier_block {
	int (*notifier_call)(struct notifier_block *notifier, unsigned long was_set, void *tk);
};

struct clocksource {
	int vdso_clock_mode;
};

struct tk_read_base {
	struct clocksource *clock;
	u64 cycle_last;
	u64 xtime_nsec;
	u64 base;
	u32 mult;
	u32 shift;
};

struct timekeeper {
	struct tk_read_base tkr_mono;
};

#endif
