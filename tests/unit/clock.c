// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's copy of the kernel's clock: it is exact for each TSC, and whoever meets a
 * change of it asks the kernel.  The file of the module is included; the TSC and the kernel's
 * clock are played here.
 */
#include "tap.h"

#ifdef __x86_64__
#define CONFIG_X86_64	1

#include <stdlib.h>

#include "engine/record_env.h"
#include "timekeeper.h"

#define __aligned(n)		__attribute__((aligned(n)))
#define data_race(x)		(x)

#define OF_KERNEL	12345	/* what its function returns */

static struct clocksource source = { VDSO_CLOCKMODE_TSC };
static struct timekeeper keeper;
static struct notifier_block *listener;
static u64 tsc;
static void (*meanwhile)(void);	/* while the TSC is read */

static u64 rdtsc_ordered(void)
{
	if (meanwhile)
		meanwhile();
	return tsc;
}

#define rdtsc()	rdtsc_ordered()

static u64 ktime_get_mono_fast_ns(void)
{
	return OF_KERNEL;
}

static void update(void)
{
	listener->notifier_call(listener, 0, &keeper);
}

static void pvclock_gtod_register_notifier(struct notifier_block *notifier)
{
	listener = notifier;
	update();
}

static void pvclock_gtod_unregister_notifier(struct notifier_block *notifier)
{
	(void)notifier;
	listener = NULL;
}

#include "compat/clock.c"

#define ROUNDS	200000

static u64 any(void)
{
	return (u64)mrand48() << 32 | (u32)mrand48();
}

static u64 between(u64 least, u64 most)
{
	return least + any() % (most - least + 1);
}

/* As the kernel computes it, in so many bits that nothing overflows. */
static u64 of_kernel(void)
{
	const struct tk_read_base *tkr = &keeper.tkr_mono;
	const __int128 past = (__int128)tsc - tkr->cycle_last;

	return tkr->base + (u64)((past * tkr->mult + tkr->xtime_nsec) >> tkr->shift);
}

/* A TSC of 63 MHz to 6.5 GHz, as the kernel would measure it, years after it began. */
static void choose_clock(void)
{
	struct tk_read_base *tkr = &keeper.tkr_mono;
	const u64 khz = between(63000, 6500000);

	tkr->clock = &source;
	tkr->shift = between(20, 27);
	tkr->mult = ((1000000ULL << tkr->shift) + khz / 2) / khz;
	tkr->cycle_last = any() >> between(2, 20);
	tkr->base = any() >> between(8, 20);
	tkr->xtime_nsec = any() & ((1ULL << tkr->shift) - 1);
}

/* Most reads are soon after an update, and some are on a processor whose TSC is behind. */
static u64 choose_tsc(void)
{
	const u64 last = keeper.tkr_mono.cycle_last;

	switch (between(0, 3)) {
	case 0:
		return last + between(0, 1 << 24);
	case 1:
		return last - between(0, 1000);
	case 2:
		return last + between(0, 1ULL << 44);
	default:
		return last + between(0, 1ULL << 61);
	}
}

static void exact(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		choose_clock();
		update();
		tsc = choose_tsc();
		wrong += clock_now() != of_kernel() || clock_now_early() != of_kernel();
	}
	tap_equal(wrong, 0, "%u of %u times are not exact", wrong, ROUNDS);
}

static int asks(void)
{
	return clock_now() == OF_KERNEL && clock_now_early() == OF_KERNEL;
}

static void change_all(void)
{
	choose_clock();
	update();
}

static void change_twice(void)
{
	change_all();
	change_all();
}

static void change_source(void)
{
	source.vdso_clock_mode = VDSO_CLOCKMODE_NONE;
	update();
}

static void met(void (*change)(void), const char *name)
{
	u64 now;

	choose_clock();
	update();
	meanwhile = change;
	tap_ok(!clock_read_early(&now), "a read that meets %s is none", name);
	meanwhile = NULL;
}

int main(void)
{
	tap_ok(asks(), "no copy yet");
	choose_clock();
	tsc = keeper.tkr_mono.cycle_last;
	clock_start();
	tap_equal(clock_now(), of_kernel(), "there is one from the begin on");
	exact();

	met(change_all, "an update");
	met(change_twice, "two updates");
	met(change_source, "another clock");
	tap_ok(asks(), "the other clock is the kernel's business");
	source.vdso_clock_mode = VDSO_CLOCKMODE_TSC;
	exact();

	keeper.tkr_mono.mult = 16U << keeper.tkr_mono.shift;
	update();
	tap_ok(asks(), "so is a TSC that is too slow");
	keeper.tkr_mono.mult--;
	update();
	tap_equal(clock_now(), of_kernel(), "one that is just fast enough is not");
	clock_stop();
	tap_ok(asks(), "no copy any more");
	return tap_done();
}
#else
int main(void)
{
	tap_skip("the copy of the clock", "the TSC is x86's");
	return tap_done();
}
#endif
