/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock_now() returns CLOCK_MONOTONIC, in any context.  The values on different CPUs
 * differ slightly at most.
 *
 * It returns exactly what ktime_get_mono_fast_ns() returns, and calls that unless the
 * kernel's clock is the TSC.  For the TSC, a copy of the timekeeper's parameters is
 * kept here, because a wake-up and a switch read the clock once each, and with the
 * kernel's function the two reads would cost as much as all the rest.
 */
#ifndef TASKRT_CLOCK_H
#define TASKRT_CLOCK_H

#include <linux/build_bug.h>
#include <linux/ktime.h>

#ifdef CONFIG_X86_64

#include <asm/msr.h>
#include <asm/tsc.h>

struct clock_base {
	u64 cycles;		/* at the last update */
	u64 cycles_max;		/* that may have passed since then; 0: ask the kernel */
	u64 ns;			/* at the last update */
	u64 ns_shifted;		/* the fraction of ns, shifted left */
	u64 mult;
	u32 shift;
};

/* A latch: the writer changes the copy that readers do not use. */
struct clock_latch {
	u64 use;		/* a count, and in CLOCK_OFFSET where in base[] the copy is */
	struct clock_base base[2];
};

#define CLOCK_OFFSET	63

static_assert(sizeof(struct clock_base) <= CLOCK_OFFSET);

extern struct clock_latch clock_latch;

static __always_inline u64 clock_now(void)
{
	const struct clock_base *base;
	u64 now, use;

	do {
		use = READ_ONCE(clock_latch.use);
		smp_rmb();	/* the copy is not older than the count */
		base = (void *)clock_latch.base + (use & CLOCK_OFFSET);
		/* data_race(): if the copy changes meanwhile, the loop repeats. */
		now = rdtsc_ordered() - data_race(base->cycles);
		/* data_race(): as above */
		if (unlikely(now >= data_race(base->cycles_max)))
			return ktime_get_mono_fast_ns();
		/* data_race(): as above */
		now = data_race(base->ns + ((now * base->mult + base->ns_shifted) >> base->shift));
		/* Or else the compiler loads all of them first, to compute after the loop. */
		OPTIMIZER_HIDE_VAR(now);
		smp_rmb();	/* the copy is read before the count is read again */
	} while (unlikely(READ_ONCE(clock_latch.use) != use));
	return now;
}

void clock_start(void);
void clock_stop(void);

#else

static __always_inline u64 clock_now(void)
{
	return ktime_get_mono_fast_ns();
}

static inline void clock_start(void) {}
static inline void clock_stop(void) {}

#endif /* CONFIG_X86_64 */

#endif /* TASKRT_CLOCK_H */
