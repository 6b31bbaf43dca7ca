/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock_now() returns CLOCK_MONOTONIC, in any context.  The values on different CPUs
 * differ slightly at most.
 *
 * It returns what ktime_get_mono_fast_ns() returns, and calls that unless the kernel's
 * clock is the TSC.  For the TSC, a copy of the timekeeper's parameters is kept here,
 * because a wake-up and a switch read the clock once each, and with the kernel's function
 * the two reads would cost as much as all the rest.
 */
#ifndef TASKRT_CLOCK_H
#define TASKRT_CLOCK_H

#include <linux/build_bug.h>
#include <linux/ktime.h>

#ifdef CONFIG_X86_64

#include <asm/msr.h>
#include <asm/tsc.h>

/*
 * The time in ns is (TSC * mult + offset) >> CLOCK_SHIFT, in 128 bits.  With so many bits
 * it is exact however long ago the parameters were set, and a TSC that is slightly smaller
 * than it was then needs no care.
 */
#define CLOCK_SHIFT	60

struct clock_copy {
	u64 count;		/* of updates */
	u64 mult;
	u64 offset;
	u64 offset_high;
	u64 valid;		/* the count, or CLOCK_INVALID */
} __aligned(64);

#define CLOCK_INVALID	(~0ULL)

extern struct clock_copy clock_copy;

static __always_inline u64 clock_ns(u64 cycles)
{
	/* The compiler would align the stack for an __int128. */
	asm("mulq %[mult]\n\t"
	    "addq %[offset], %%rax\n\t"
	    "adcq %[offset_high], %%rdx\n\t"
	    "shrdq %[shift], %%rdx, %%rax"
	    : "+a" (cycles)
	    : [mult] "m" (clock_copy.mult), [offset] "m" (clock_copy.offset),
	      [offset_high] "m" (clock_copy.offset_high), [shift] "i" (CLOCK_SHIFT)
	    : "rdx", "cc");
	return cycles;
}

/* Is there a copy?  Where there is none, a hypervisor may make rdtsc slow. */
static __always_inline bool clock_copied(void)
{
	return READ_ONCE(clock_copy.valid) != CLOCK_INVALID;
}

/* Return: false if the copy has changed meanwhile, is changing, or there is none. */
static __always_inline bool clock_read(u64 *now, bool ordered)
{
	const u64 count = READ_ONCE(clock_copy.count);

	smp_rmb();	/* the copy is not older than the count; pairs with clock_copy_set() */
	*now = clock_ns(ordered ? rdtsc_ordered() : rdtsc());
	smp_rmb();	/* the copy is read before it is known to be valid; pairs as above */
	/* data_race(): whatever it was before, a change has made it another one. */
	return likely(data_race(clock_copy.valid) == count);
}

void clock_start(void);
void clock_stop(void);

#else

static __always_inline bool clock_copied(void)
{
	return false;
}

static __always_inline bool clock_read(u64 *now, bool ordered)
{
	*now = ktime_get_mono_fast_ns();
	return true;
}

static inline void clock_start(void) {}
static inline void clock_stop(void) {}

#endif /* CONFIG_X86_64 */

static __always_inline u64 clock_now(void)
{
	u64 now;

	return likely(clock_copied() && clock_read(&now, true)) ? now : ktime_get_mono_fast_ns();
}

/*
 * clock_read_early() - the same, for the events of a thread that nobody observes
 *
 * The processor may read the clock before it has done what stands in front of this, by as
 * long as its loads from memory take.  To wait for them costs as much as all the rest of a
 * hook.  The kernel's scheduler reads its clock in this way, too.
 * Return: false if the caller has to ask clock_now(): rarely, where the clock is the TSC.
 */
static __always_inline bool clock_read_early(u64 *now)
{
	return clock_read(now, false);
}

static __always_inline u64 clock_now_early(void)
{
	u64 now;

	return likely(clock_read_early(&now)) ? now : ktime_get_mono_fast_ns();
}

#endif /* TASKRT_CLOCK_H */
