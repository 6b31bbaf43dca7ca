// SPDX-License-Identifier: GPL-2.0-only
/* Many interrupts of one CPU, whatever runs there: calls of another CPU, or timers. */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/version.h>

#include "internal.h"

/* The longest time that others are kept off the CPU. */
#define MOST_NS		NSEC_PER_SEC
/* The time between two timers is so much shorter than each of them. */
#define PAUSE		4

/* It is not on the stack, where a timer would have to be set up in another way. */
struct storm {
	call_single_data_t calls[TASKRT_TEST_CALLS_AT_ONCE];
	struct hrtimer timer;
	struct completion over;
	u64 each_ns;
	u32 rounds;
	u32 begun, done;	/* written on the CPU that is interrupted */
};

/* With interrupts off.  Return: was this the last one? */
static bool strike(struct storm *storm)
{
	const u64 end = ktime_get_ns() + storm->each_ns;

	while (ktime_get_ns() < end)
		cpu_relax();
	return ++storm->done == storm->rounds;
}

static void called(void *info)
{
	struct storm *storm = info;

	/* The kernel has released what it was called with; pairs with call(). */
	smp_store_release(&storm->begun, storm->begun + 1);
	if (strike(storm))
		complete(&storm->over);
}

/*
 * The next calls are sent while one is served, so that it takes no time until they arrive.
 * Calls that have arrived together are served by one interrupt.
 */
static int call(struct storm *storm, u32 cpu)
{
	u32 i;
	int err;

	for (i = 0; i < storm->rounds; i++) {
		call_single_data_t *call = &storm->calls[i % TASKRT_TEST_CALLS_AT_ONCE];

		call->func = called;
		call->info = storm;
		/* Pairs with called(). */
		while (i - smp_load_acquire(&storm->begun) >= TASKRT_TEST_CALLS_AT_ONCE) {
			cpu_relax();
			cond_resched();
		}
		err = smp_call_function_single_async(cpu, call);
		/* The CPU does not exist, which the first call finds out. */
		if (err)
			return err;
	}
	wait_for_completion(&storm->over);
	return 0;
}

static enum hrtimer_restart expired(struct hrtimer *timer)
{
	struct storm *storm = container_of(timer, struct storm, timer);

	if (strike(storm)) {
		complete(&storm->over);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(timer, ns_to_ktime(storm->each_ns / PAUSE));
	return HRTIMER_RESTART;
}

static void init_timer(struct storm *storm)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&storm->timer, expired, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&storm->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	storm->timer.function = expired;
#endif
}

/* A pinned timer stays on the CPU that has started it. */
static void start_timer(void *info)
{
	struct storm *storm = info;

	hrtimer_start(&storm->timer, ns_to_ktime(storm->each_ns / PAUSE),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int expire(struct storm *storm, u32 cpu)
{
	int err;

	init_timer(storm);
	err = smp_call_function_single(cpu, start_timer, storm, true);
	if (err)
		return err;
	wait_for_completion(&storm->over);
	/* Its last callback may not have returned yet. */
	hrtimer_cancel(&storm->timer);
	return 0;
}

static bool is_valid(const struct taskrt_test_storm *arg)
{
	return arg->how < TASKRT_TEST_NR_STORMS && arg->cpu < nr_cpu_ids && arg->rounds &&
	       arg->each_ns <= MOST_NS / arg->rounds && arg->each_ns >= PAUSE;
}

int test_storm(const struct taskrt_test_storm *arg)
{
	struct storm *storm;
	int err;

	if (!is_valid(arg))
		return -EINVAL;
	storm = kzalloc(sizeof(*storm), GFP_KERNEL);
	if (!storm)
		return -ENOMEM;
	init_completion(&storm->over);
	storm->each_ns = arg->each_ns;
	storm->rounds = arg->rounds;
	err = arg->how == TASKRT_TEST_CALLS ? call(storm, arg->cpu) : expire(storm, arg->cpu);
	kfree(storm);
	return err;
}
