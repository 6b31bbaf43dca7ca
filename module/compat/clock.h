/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock_now() returns CLOCK_MONOTONIC, as ktime_get_mono_fast_ns() does, in any context.  Values of
 * different CPUs may differ slightly.  If the kernel's clock is the TSC, clock_now() uses a copy of
 * the timekeeper's parameters.  This saves time: a wake-up and a switch read the clock once each,
 * and two calls of the kernel's function would cost as much as the rest of both hooks.
 */
#ifndef TASKRT_CLOCK_H
#define TASKRT_CLOCK_H

#include <linux/build_bug.h>
#include <linux/ktime.h>

#ifdef CONFIG_X86_64

#include <asm/msr.h>
#include <asm/tsc.h>

/*
 * The time in ns is (TSC * mult + offset) >> CLOCK_SHIFT, in 128 bits.  This is exact however old
 * the parameters are, and even if the TSC is slightly smaller than when they were set.
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
	/* In assembly, because the compiler would align the stack for an __int128. */
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

/* True if there is a copy.  Without one, do not read the TSC: a hypervisor may make rdtsc slow. */
static __always_inline bool clock_copied(void)
{
	return READ_ONCE(clock_copy.valid) != CLOCK_INVALID;
}

/* Return: false if there is no copy, or if it is changing. */
static __always_inline bool clock_read(u64 *now, bool ordered)
{
	const u64 count = READ_ONCE(clock_copy.count);

	smp_rmb();	/* the copy is not older than the count; pairs with clock_copy_set() */
	*now = clock_ns(ordered ? rdtsc_ordered() : rdtsc());
	smp_rmb();	/* the copy is read before it is known to be valid; pairs as above */
	/* data_race(): any change has made valid differ from the count. */
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
 * For the events of a thread without observers: the processor may read the clock before earlier
 * loads complete.  To wait for these would cost as much as the rest of a hook.  The scheduler's
 * clock does not wait either.
 * Return: false if the caller has to use clock_now(), which is rare with the TSC.
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
