// SPDX-License-Identifier: GPL-2.0-only
#include "compat/clock.h"

#ifdef CONFIG_X86_64

#include <linux/clocksource.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

struct clock_copy clock_copy = { .valid = CLOCK_INVALID };

/* True if the clock is the TSC, and faster than 63 MHz: of a slower one, mult would not fit. */
static bool clock_copyable(const struct tk_read_base *tkr)
{
	return tkr->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC && tkr->shift <= CLOCK_SHIFT &&
	       (u64)tkr->mult >> tkr->shift < 1 << (64 - CLOCK_SHIFT);
}

/* During this, readers do not wait, but call the kernel's function. */
static void clock_copy_set(const struct tk_read_base *tkr)
{
	const unsigned int shift = CLOCK_SHIFT - tkr->shift;
	const u64 mult = (u64)tkr->mult << shift, count = clock_copy.count + 1;
	const unsigned __int128 ns = ((unsigned __int128)ktime_to_ns(tkr->base) << CLOCK_SHIFT) +
				     ((unsigned __int128)tkr->xtime_nsec << shift),
				offset = ns - (unsigned __int128)tkr->cycle_last * mult;

	WRITE_ONCE(clock_copy.valid, CLOCK_INVALID);
	smp_wmb();	/* the copy is invalid before it changes; pairs with clock_read() */
	WRITE_ONCE(clock_copy.mult, mult);
	WRITE_ONCE(clock_copy.offset, offset);
	WRITE_ONCE(clock_copy.offset_high, offset >> 64);
	smp_wmb();	/* the copy is complete before its count; pairs as above */
	WRITE_ONCE(clock_copy.count, count);
	smp_wmb();	/* no older count is valid; pairs as above */
	WRITE_ONCE(clock_copy.valid, count);
}

/* Called at each update of the timekeeper, under its lock, so there is one writer. */
static int clock_on_update(struct notifier_block *notifier, unsigned long was_set, void *timekeeper)
{
	const struct timekeeper *tk = timekeeper;

	if (clock_copyable(&tk->tkr_mono))
		clock_copy_set(&tk->tkr_mono);
	else
		WRITE_ONCE(clock_copy.valid, CLOCK_INVALID);
	return NOTIFY_OK;
}

static struct notifier_block notifier = { .notifier_call = clock_on_update };

void clock_start(void)
{
	/* This calls clock_on_update() at once. */
	pvclock_gtod_register_notifier(&notifier);
}

void clock_stop(void)
{
	pvclock_gtod_unregister_notifier(&notifier);
	WRITE_ONCE(clock_copy.valid, CLOCK_INVALID);
}

#endif /* CONFIG_X86_64 */
