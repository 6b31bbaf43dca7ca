// SPDX-License-Identifier: GPL-2.0-only
#include "compat/clock.h"

#ifdef CONFIG_X86_64

#include <linux/clocksource.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

struct clock_latch clock_latch ____cacheline_aligned;

static void clock_base_set(struct clock_base *base, const struct tk_read_base *tkr)
{
	base->cycles = tkr->cycle_last;
	base->ns = ktime_to_ns(tkr->base);
	base->ns_shifted = tkr->xtime_nsec;
	base->mult = tkr->mult;
	base->shift = tkr->shift;
	/* For longer intervals the product would overflow: clock_now() asks the kernel then. */
	base->cycles_max = tkr->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC ?
			   tkr->clock->max_cycles : 0;
}

/* Readers use the copy with this number from now on. */
static void clock_latch_use(unsigned int copy)
{
	const u64 count = (clock_latch.use | CLOCK_OFFSET) + 1;

	WRITE_ONCE(clock_latch.use, count + copy * sizeof(struct clock_base));
}

/* Called with each update of the timekeeper, under its lock: there is one writer. */
static void clock_latch_set(const struct tk_read_base *tkr)
{
	clock_latch_use(1);
	smp_wmb();	/* pairs with clock_now(), here and below */
	clock_base_set(&clock_latch.base[0], tkr);
	smp_wmb();	/* the first copy is complete before readers return to it */
	clock_latch_use(0);
	smp_wmb();	/* readers have left the second copy before it changes */
	clock_base_set(&clock_latch.base[1], tkr);
}

static int clock_on_update(struct notifier_block *notifier, unsigned long was_set, void *timekeeper)
{
	const struct timekeeper *tk = timekeeper;

	clock_latch_set(&tk->tkr_mono);
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
	memset(&clock_latch, 0, sizeof(clock_latch));
}

#endif /* CONFIG_X86_64 */
