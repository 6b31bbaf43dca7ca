// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cannot be measured is not said to be: its bits are clear, wherever bits are
 * told, its words are 0, and what it would have been is in other states.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "looks.h"
#include "module.h"
#include "page.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* What sees contended locks, on one kernel or another. */
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
};

static struct missing locks = {
	.name = "no lock hooks",
	.bits = {
		.states = 1U << TASKRT_STATE_BLOCKED_LOCK, .timers = 1U << TASKRT_TIMER_LOCK,
		.locks = UINT32_MAX,
	},
	.valid = TASKRT_VALID_LOCK_TIME,
};

static const struct missing faults = {
	.name = "no hook of faults",
	.bits = {
		.states = 1U << TASKRT_STATE_BLOCKED_FAULT, .timers = 1U << TASKRT_TIMER_FAULT,
		.values = 1ULL << TASKRT_VALUE_MINOR_FAULT_NS |
			  1ULL << TASKRT_VALUE_MAJOR_FAULT_NS,
	},
	.valid = TASKRT_VALID_PAGE_FAULT_TIME,
};

static struct taskrt_info whole;
static int device;

static int is_without(const struct taskrt_measured *measured, const struct missing *missing)
{
	const struct taskrt_measured *bits = &missing->bits;

	if (measured->states == (whole.measured.states & ~bits->states) &&
	    measured->timers == (whole.measured.timers & ~bits->timers) &&
	    measured->locks == (whole.measured.locks & ~bits->locks) &&
	    measured->values == (whole.measured.values & ~bits->values))
		return 1;
	tap_diag("states %#x timers %#x locks %#x values %#llx", measured->states,
		 measured->timers, measured->locks, measured->values);
	return 0;
}

/* The reading adds up without what is missing, which is 0. */
static void check_reading(const struct taskrt_reading *reading, const struct missing *missing,
			  const char *whose)
{
	const char *name = missing->name;

	tap_ok(is_without(&reading->stats.measured, missing), "%s: %s: what is measured", name,
	       whose);
	tap_equal(reading->stats.valid & missing->valid, 0, "%s: %s: what is valid", name, whose);
	tap_ok(window_adds_up(reading) && window_agrees(reading),
	       "%s: %s: adds up, and the rest is 0", name, whose);
}

static void check_page(const struct missing *missing)
{
	const struct taskrt_page *page = page_own();
	struct page_copy copy;

	page_read(page, &copy);
	tap_ok(is_without(&page->measured, missing), "%s: the page: what is measured",
	       missing->name);
	tap_ok(page_is_sound(page) && page_adds_up(page, &copy), "%s: the page adds up",
	       missing->name);
	page_unmap(page);
}

static void check_self(const struct missing *missing)
{
	const unsigned int timer = __builtin_ctz(missing->bits.timers);
	struct taskrt_distribution distribution;
	struct taskrt_histogram *histogram;
	struct taskrt_self *self = self_open();
	struct taskrt_reading reading;

	self_get(self, &reading);
	check_reading(&reading, missing, "self");
	if (taskrt_histogram_open(&histogram, self) ||
	    taskrt_histogram_read(histogram, NULL, 0))
		tap_bail("taskrt_histogram");
	tap_errno(taskrt_histogram_timer(histogram, timer, &distribution, sizeof(distribution)),
		  -ENODATA, "%s: no histogram of the timer", missing->name);
	if (missing->bits.states)
		tap_errno(taskrt_histogram_state(histogram, __builtin_ctz(missing->bits.states),
						 &distribution, sizeof(distribution)),
			  -ENODATA, "%s: nor of the state", missing->name);
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
}

static void check_without(const char *hooks, const struct missing *missing)
{
	struct taskrt_reading reading;
	struct taskrt_info info;
	struct taskrt *handle;
	char parameter[256];
	unsigned int i;

	snprintf(parameter, sizeof(parameter), "without=%s", hooks);
	module_again(parameter);
	for (i = 0; i < 32; i++)
		looks_live(device, i);
	handle = window_open();
	window_info(handle, &info);
	tap_ok(is_without(&info.measured, missing), "%s: INFO: what is measured", missing->name);
	tap_equal(info.valid, whole.valid & ~missing->valid, "%s: INFO: what is valid",
		  missing->name);
	window_thread(handle, 0, &reading);
	check_reading(&reading, missing, "a thread");
	window_process(handle, 0, &reading);
	check_reading(&reading, missing, "a process");
	taskrt_close(handle);
	check_page(missing);
	check_self(missing);
}

/* Those of them that this kernel has. */
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
	/* PREEMPT_RT's own state of who sleeps for a spinlock needs no hook. */
	if (thread_kernel_is_rt())
		locks.bits.states = 0;
	find_lock_hooks(handle, hooks, sizeof(hooks));
	taskrt_close(handle);
	check_without(hooks, &locks);
	check_without("handle_mm_fault", &faults);
	module_again("");
	handle = window_open();
	window_info(handle, &whole);
	tap_equal(whole.measured.states & (locks.bits.states | faults.bits.states),
		  locks.bits.states | faults.bits.states, "with all hooks again: measured again");
	taskrt_close(handle);
	return tap_done();
}
