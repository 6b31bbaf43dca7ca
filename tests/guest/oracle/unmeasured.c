// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cannot be measured is reported as not measured: its bits are clear wherever there
 * are bits, its words are 0, and the time counts in other states.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "delays.h"
#include "device.h"
#include "looks.h"
#include "module.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* The hooks that see contended locks, on one kernel or another. */
static const char *const lock_hooks[] = {
	"contention_begin", "contention_end", "mutex_slowpath", "rwsem_read_slowpath",
	"rwsem_write_slowpath", "rt_mutex_slowpath", "semaphore_slowpath", "percpu_rwsem_wait",
	"rt_spin_lock_slowpath",
};

/* What is missing, and by what name. */
struct missing {
	const char *name;
	struct taskrt_measured bits;
	uint64_t valid;
	uint64_t page_values;	/* in addition to those of bits: the page gets them by that hook */
};

static struct missing locks = {
	.name = "no lock hooks",
	.bits = {
		.states = 1U << TASKRT_STATE_BLOCKED_LOCK, .timers = 1U << TASKRT_TIMER_LOCK,
		.locks = UINT32_MAX,
	},
	.valid = TASKRT_VALID_LOCK_TIME,
};

/* These have hooks of their own only on kernels without the tracepoints. */
static const struct missing others = {
	.name = "not all hooks of other locks",
	.bits = { .locks = 1U << TASKRT_LOCK_OTHER },
};

static const struct missing rt_mutexes = {
	.name = "no hook of rt_mutexes",
	.bits = { .locks = 1U << TASKRT_LOCK_RT_MUTEX },
};

static const struct missing faults = {
	.name = "no hook of faults",
	.bits = {
		.states = 1U << TASKRT_STATE_BLOCKED_FAULT,
		.timers = 1U << TASKRT_TIMER_FAULT | 1U << TASKRT_TIMER_FAULT_CPU,
		.values = 1ULL << TASKRT_VALUE_MINOR_FAULT_NS |
			  1ULL << TASKRT_VALUE_MAJOR_FAULT_NS,
	},
	.valid = TASKRT_VALID_PAGE_FAULT_TIME,
	.page_values = 1ULL << TASKRT_VALUE_MINOR_FAULTS | 1ULL << TASKRT_VALUE_MAJOR_FAULTS,
};

static const struct missing switches = {
	.name = "no hook of switches",
	.bits = {
		.states = UINT32_MAX,
		.timers = 1U << TASKRT_TIMER_STEAL | 1U << TASKRT_TIMER_EXPIRY |
			  1U << TASKRT_TIMER_RECLAIM_CPU | 1U << TASKRT_TIMER_FAULT_CPU,
		.values = 1ULL << TASKRT_VALUE_WAKEUPS,
	},
	.page_values = 1ULL << TASKRT_VALUE_VOLUNTARY_SWITCHES |
		       1ULL << TASKRT_VALUE_INVOLUNTARY_SWITCHES,
};

static const struct missing timers = {
	.name = "no hook of timers",
	.bits = { .timers = 1U << TASKRT_TIMER_STEAL | 1U << TASKRT_TIMER_EXPIRY },
};

static const struct missing freeing = {
	.name = "no hook of reclaim",
	.bits = { .timers = 1U << TASKRT_TIMER_RECLAIM_CPU },
};

static const struct missing throttles = {
	.name = "no hook of throttling",
	.bits = { .states = 1U << TASKRT_STATE_THROTTLED },
};

/* The values that a page lacks besides those of bits: the last two always. */
static uint64_t lacks(const struct missing *missing)
{
	return missing->page_values | SELF_ASKED_ONLY;
}

static struct taskrt_info whole;
static int device;

/* Are the bits of the missing parts clear, and those of these values, and no others? */
static int is_without_values(const struct taskrt_measured *measured,
			     const struct missing *missing, uint64_t values)
{
	const struct taskrt_measured *bits = &missing->bits;
	const uint32_t stalls = delays_kinds();	/* they need no hook, and a page lacks them */

	if (measured->states == (whole.measured.states & ~bits->states) &&
	    (measured->timers & ~stalls) == (whole.measured.timers & ~(bits->timers | stalls)) &&
	    measured->locks == (whole.measured.locks & ~bits->locks) &&
	    measured->values == (whole.measured.values & ~(bits->values | values)))
		return 1;
	tap_diag("states %#x timers %#x locks %#x values %#llx", measured->states,
		 measured->timers, measured->locks, measured->values);
	return 0;
}

static int is_without(const struct taskrt_measured *measured, const struct missing *missing)
{
	return is_without_values(measured, missing, 0);
}

/* The reading adds up without the missing parts, which are 0, and without these values. */
static void check_reading(const struct taskrt_reading *reading, const struct missing *missing,
			  uint64_t values, const char *whose)
{
	const char *name = missing->name;

	tap_ok(is_without_values(&reading->stats.measured, missing, values),
	       "%s: %s: what is measured", name, whose);
	tap_equal(reading->stats.valid & missing->valid, 0, "%s: %s: what is valid", name, whose);
	tap_ok(window_adds_up(reading) && window_agrees(reading),
	       "%s: %s: adds up, and the rest is 0", name, whose);
}

/* A count that stands still would be taken for a true one. */
static unsigned int stray_values(const struct taskrt_page *page, const struct page_copy *copy)
{
	unsigned int i, found = 0;

	for (i = 0; i < TASKRT_VALUES_ROOM; i++)
		found += !taskrt_measures(page->measured.values, i) && copy->counts.values[i];
	return found;
}

static void check_page(const struct missing *missing)
{
	const struct taskrt_page *page = page_own();
	struct page_copy copy;

	page_read(page, &copy);
	tap_ok(is_without_values(&page->measured, missing, lacks(missing)),
	       "%s: the page: what is measured", missing->name);
	tap_equal(stray_values(page, &copy), 0, "%s: the page: other values are 0",
		  missing->name);
	tap_ok(page_is_sound(page), "%s: the page is sound", missing->name);
	if (page->measured.states)
		tap_ok(page_adds_up(page, &copy), "%s: the page adds up", missing->name);
	page_unmap(page);
}

static void check_histograms(struct taskrt_self *self, const struct missing *missing)
{
	struct taskrt_distribution distribution;
	struct taskrt_histogram *histogram;

	if (taskrt_histogram_open(&histogram, self) ||
	    taskrt_histogram_read(histogram, NULL, 0))
		tap_bail("taskrt_histogram");
	tap_errno(taskrt_histogram_timer(histogram, 31 - __builtin_clz(missing->bits.timers),
					 &distribution, sizeof(distribution)),
		  -ENODATA, "%s: no histogram of the timer", missing->name);
	if (missing->bits.states)
		tap_errno(taskrt_histogram_state(histogram, __builtin_ctz(missing->bits.states),
						 &distribution, sizeof(distribution)),
			  -ENODATA, "%s: nor of the state", missing->name);
	taskrt_histogram_close(histogram);
}

static void check_self(const struct missing *missing)
{
	struct taskrt_self *self = self_open();
	struct taskrt_reading reading;

	self_get(self, &reading);
	check_reading(&reading, missing, lacks(missing), "self");
	if (missing->bits.timers)
		check_histograms(self, missing);
	taskrt_self_close(self);
}

static void live_without(const char *hooks)
{
	char parameter[256];
	unsigned int i;

	snprintf(parameter, sizeof(parameter), "without=%s", hooks);
	module_again(parameter);
	for (i = 0; i < 32; i++)
		looks_live(device, i);
}

static void check_without(const char *hooks, const struct missing *missing)
{
	struct taskrt_reading reading;
	struct taskrt_info info;
	struct taskrt *handle;

	live_without(hooks);
	handle = window_open();
	window_info(handle, &info);
	tap_ok(is_without(&info.measured, missing), "%s: INFO: what is measured", missing->name);
	tap_equal(info.valid, whole.valid & ~missing->valid, "%s: INFO: what is valid",
		  missing->name);
	window_thread(handle, 0, &reading);
	check_reading(&reading, missing, 0, "a thread");
	window_process(handle, 0, &reading);
	check_reading(&reading, missing, 0, "a process");
	taskrt_close(handle);
	check_page(missing);
	check_self(missing);
}

/* Without this hook no state is known: only what the page says is checked. */
static void check_without_switches(void)
{
	live_without("sched_switch");
	check_page(&switches);
}

/* Leaves out one of several hooks; the others stay attached. */
static void check_without_one(const char *hook, const struct missing *missing)
{
	if (window_has_hook(hook))
		check_without(hook, missing);
}

/* Lists the lock hooks that this kernel has. */
static void find_lock_hooks(struct taskrt *handle, char *text, size_t size)
{
	struct taskrt_hook hook;
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < sizeof(lock_hooks) / sizeof(*lock_hooks); i++)
		if (window_find_hook(handle, lock_hooks[i], &hook))
			length += snprintf(text + length, size - length, "%s%s",
					   length ? "," : "", lock_hooks[i]);
	if (!length)
		tap_bail("no hook sees locks");
}

int main(void)
{
	struct taskrt *handle = window_open();
	char hooks[200];

	device = device_open();
	window_info(handle, &whole);
	/*
	 * Where PREEMPT_RT has a task state for sleeping on a spinlock, that state needs
	 * no hook.
	 */
	if (thread_kernel_is_rt() && !window_has_hook("rt_spin_lock_slowpath"))
		locks.bits.states = 0;
	find_lock_hooks(handle, hooks, sizeof(hooks));
	taskrt_close(handle);
	check_without(hooks, &locks);
	/*
	 * With the beginning of a wait and without its end, a thread would seem to wait
	 * for ever.
	 */
	check_without_one("contention_begin", &locks);
	check_without_one("contention_end", &locks);
	check_without_one("semaphore_slowpath", &others);
	check_without_one("percpu_rwsem_wait", &others);
	check_without_one("rt_spin_lock_slowpath", &others);
	if (!thread_kernel_is_rt())
		check_without_one("rt_mutex_slowpath", &rt_mutexes);
	check_without("handle_mm_fault", &faults);
	check_without("hrtimer_expire", &timers);
	check_without("reclaim", &freeing);
	check_without_one("compaction", &freeing);
	/* Since 6.18 that needs none. */
	check_without_one("tg_throttle_down", &throttles);
	check_without_one("tg_unthrottle_up", &throttles);
	check_without_switches();
	module_again("");
	handle = window_open();
	window_info(handle, &whole);
	tap_equal(whole.measured.states & (locks.bits.states | faults.bits.states),
		  locks.bits.states | faults.bits.states, "with all hooks again: measured again");
	taskrt_close(handle);
	return tap_done();
}
