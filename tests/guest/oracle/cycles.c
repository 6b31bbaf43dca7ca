// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles and instructions: of a loop whose length is known, of the thread that runs it and of
 * nobody else, until its end, after CPUs have come and gone and the system has slept; and
 * only for those who may see them.  Where the processor has no counters, that is said.
 */
#include <semaphore.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "setting.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define COUNTED	(1ULL << TASKRT_VALUE_CYCLES | 1ULL << TASKRT_VALUE_INSTRUCTIONS | \
		 1ULL << TASKRT_VALUE_CYCLES_NS)

/* A loop of two instructions; what is around it takes less than a tenth of them. */
#define ROUNDS		10000000UL
#define LEAST		(2 * ROUNDS)
#define MOST		(LEAST + LEAST / 10)

static struct taskrt *handle;

static void loop(unsigned long rounds)
{
#if defined(__x86_64__)
	__asm__ volatile("1: dec %0; jnz 1b" : "+r" (rounds));
#elif defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1; b.ne 1b" : "+r" (rounds));
#else
#error "the module is for x86-64 and arm64"
#endif
}

static void loop_once(void *unused)
{
	(void)unused;
	loop(ROUNDS);
}

static void loop_on_1(void *unused)
{
	thread_pin(1);
	loop_once(unused);
}

static uint64_t measured_now(void)
{
	struct taskrt_info info;

	window_info(handle, &info);
	return info.measured.values & COUNTED;
}

static void hook_now(struct taskrt_hook *hook)
{
	struct taskrt_info info;

	window_info(handle, &info);
	if (!window_find_hook(handle, "cycles", hook))
		tap_bail("no hook of cycles");
}

static int is_loop(uint64_t instructions)
{
	return instructions >= LEAST && instructions <= MOST;
}

/* An interrupt of the loop belongs to its thread, so that a try may have too many. */
static void counted(window_fn fn, const char *name)
{
	struct window window;

	do
		window_observe(&window, fn, NULL);
	while (!is_loop(VALUE(window.delta, INSTRUCTIONS)) && patience_lasts());
	tap_at_least(VALUE(window.delta, INSTRUCTIONS), LEAST, "%s: at least the loop", name);
	tap_at_most(VALUE(window.delta, INSTRUCTIONS), MOST, "%s: at most a tenth more", name);
	tap_at_least(VALUE(window.delta, CYCLES), 1, "%s: cycles", name);
	tap_at_least(VALUE(window.delta, CYCLES_NS), 1, "%s: their time", name);
	tap_at_most(VALUE(window.delta, CYCLES_NS),
		    window.delta.times.states_ns[TASKRT_STATE_RUNNING] + MS, "%s: while it ran",
		    name);
	tap_equal(window.after.stats.measured.values & COUNTED, COUNTED, "%s: measured", name);
}

/* --- seen by others, and at the end */

static sem_t go;

static void loop_then_wait(void *unused)
{
	loop_once(unused);
	sem_wait(&go);
}

static uint64_t told;

static void note_exit(const struct listener_record *record, void *arg)
{
	const struct thread *thread = arg;

	if (!record->process && record->id == (uint32_t)thread->tid)
		told = VALUE(record->reading, INSTRUCTIONS);
}

static void switched_out(void)
{
	const struct listener_filter counts = { .groups = TASKRT_GROUP_COUNTS };
	struct taskrt_reading asleep, later, process;
	struct listener listener;
	struct thread thread;

	listener_open(&listener, note_exit, &thread);
	listener_listen(&listener, &counts);
	thread_start(&thread, loop_then_wait, NULL);
	state_await(handle, thread.tid, TASKRT_STATE_SLEEPING_FUTEX, &asleep);
	tap_at_least(VALUE(asleep, INSTRUCTIONS), LEAST, "another thread: the loop");
	loop(ROUNDS);
	window_thread(handle, thread.tid, &later);
	tap_equal(VALUE(later, INSTRUCTIONS), VALUE(asleep, INSTRUCTIONS),
		  "another thread: nothing while it is asleep");
	window_process(handle, 0, &process);
	tap_at_least(VALUE(process, INSTRUCTIONS), VALUE(later, INSTRUCTIONS) + LEAST,
		     "the process: both loops");
	sem_post(&go);
	thread_join(&thread);
	listener_drain(&listener);
	tap_at_least(told, VALUE(later, INSTRUCTIONS), "its exit: the loop");
	listener_close(&listener);
	window_process(handle, 0, &later);
	tap_at_least(VALUE(later, INSTRUCTIONS), VALUE(process, INSTRUCTIONS),
		     "the process: still the loop of the ended thread");
}

/* --- who may see it */

/* Return: 0: they are neither measured nor there; else a bit for each that is. */
static int seen(void *unused)
{
	struct taskrt *mine = window_open();
	struct taskrt_reading reading;
	struct taskrt_info info;

	(void)unused;
	loop(ROUNDS);
	window_info(mine, &info);
	window_thread(mine, 0, &reading);
	return (info.measured.values & COUNTED ? 1 : 0) +
	       (reading.stats.measured.values & COUNTED ? 2 : 0) +
	       (VALUE(reading, CYCLES) ? 4 : 0) + (VALUE(reading, INSTRUCTIONS) ? 8 : 0);
}

static int seen_with(uint64_t caps)
{
	const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, caps };

	ask_become(&user);
	return seen(NULL);
}

static int by_user(void *unused)
{
	(void)unused;
	return seen_with(0);
}

static int by_tracer(void *unused)
{
	(void)unused;
	return seen_with(ASK_CAP_SYS_PTRACE);
}

static int by_perfmon(void *unused)
{
	(void)unused;
	return seen_with(ASK_CAP_PERFMON);
}

/* A dump, and an exit, that a user without the right listens to. */
static int find_counted(const struct taskrt_reading *reading, void *found)
{
	*(uint64_t *)found |= (reading->stats.measured.values & COUNTED) |
			      VALUE(*reading, CYCLES) | VALUE(*reading, INSTRUCTIONS);
	return 0;
}

static void note_counted(const struct listener_record *record, void *found)
{
	find_counted(&record->reading, found);
}

static int told_to_user(void *unused)
{
	const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	const struct listener_filter own = { .own = 1, .groups = TASKRT_GROUP_COUNTS };
	struct listener listener;
	struct taskrt *mine;
	uint64_t found = 0;

	(void)unused;
	ask_become(&user);
	/* Otherwise the user would be told of no exit at all. */
	prctl(PR_SET_DUMPABLE, 1);
	mine = window_open();
	window_each(mine, 0, find_counted, &found);
	listener_open(&listener, note_counted, &found);
	listener_listen(&listener, &own);
	listener_drain(&listener);
	return !!found;
}

static void rights(void)
{
	tap_equal(ask_in_child(seen, NULL), 15, "root sees them");
	tap_equal(ask_in_child(by_perfmon, NULL), 15, "CAP_PERFMON: as well");
	tap_equal(ask_in_child(by_user, NULL), 0, "a user: not even its own");
	tap_equal(ask_in_child(by_tracer, NULL), 0, "CAP_SYS_PTRACE: neither");
	tap_equal(ask_in_child(told_to_user, NULL), 0, "a user: in no dump and no exit");
}

/* --- the machine changes */

#define CPU_1	"/sys/devices/system/cpu/cpu1/online"

static void hotplug(void)
{
	struct taskrt_hook before, after;

	if (access(CPU_1, W_OK)) {
		tap_skip("a CPU that comes and goes", "CPU 1 cannot be switched off");
		return;
	}
	setting_must_write(CPU_1, "0");
	counted(loop_once, "without CPU 1");
	setting_must_write(CPU_1, "1");
	hook_now(&before);
	counted(loop_on_1, "on the new CPU 1");
	hook_now(&after);
	tap_at_least(after.hits - before.hits, 1, "CPU 1: its switches are counted");
	tap_equal(after.misses - before.misses, 0, "CPU 1: none is missed");
}

#define POWER	"/sys/power/"
#define DELAY	"/sys/module/suspend/parameters/pm_test_delay"

/* The kernel goes to sleep as far as the freezing of all tasks, and wakes up. */
static void suspend(void)
{
	setting_write(DELAY, "0");
	if (!setting_write(POWER "pm_test", "freezer") || !setting_write(POWER "state", "freeze")) {
		tap_skip("a suspend", "this kernel cannot pretend one");
		return;
	}
	setting_write(POWER "pm_test", "none");
	counted(loop_once, "after a suspend");
}

static void options(void)
{
	struct taskrt_reading before, after;

	window_thread(handle, 0, &before);
	module_must_set("cycles", "0");
	tap_equal(measured_now(), 0, "switched off: not measured");
	window_thread(handle, 0, &after);
	tap_ok(window_is_measured(&after) && !(after.stats.measured.values & COUNTED),
	       "nor of a thread, and it is 0");
	module_must_set("cycles", "1");
	module_must_set("cycles", "1");
	tap_equal(measured_now(), COUNTED, "switched on again, twice: measured");
	window_thread(handle, 0, &after);
	tap_at_least(VALUE(after, INSTRUCTIONS), VALUE(before, INSTRUCTIONS), "it goes on");
	counted(loop_once, "switched on again");
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");
	tap_equal(measured_now(), COUNTED, "accounting was off: measured again");
	counted(loop_once, "accounting was off");
	taskrt_close(handle);
	module_again("cycles=1");
	handle = window_open();
	tap_equal(measured_now(), COUNTED, "inserted with it: measured");
	counted(loop_once, "inserted with it");
}

/* Everything else goes on. */
static void not_counted(const struct taskrt_hook *hook)
{
	struct window window;

	tap_ok(hook->status < 0, "no counters: the hook says why");
	tap_equal(measured_now(), 0, "no counters: not measured");
	window_observe(&window, loop_once, NULL);
	tap_ok(window_is_measured(&window.after) && window_adds_up(&window.after),
	       "no counters: everything else is measured");
	tap_skip("cycles", "this processor has no counters for them");
}

static int is_there(void)
{
	struct taskrt_hook hook;
	struct taskrt_info info;

	window_info(handle, &info);
	return window_find_hook(handle, "cycles", &hook);
}

int main(void)
{
	struct taskrt_hook hook;

	handle = window_open();
	sem_init(&go, 0, 0);
	if (!is_there()) {
		tap_skip("cycles", "this kernel has no perf events");
		return tap_done();
	}
	tap_equal(measured_now(), 0, "not measured by default");
	module_must_set("cycles", "1");
	hook_now(&hook);
	if (hook.status) {
		not_counted(&hook);
	} else {
		tap_equal(measured_now(), COUNTED, "switched on: measured");
		counted(loop_once, "a loop");
		switched_out();
		rights();
		hotplug();
		suspend();
		options();
	}
	module_again("");
	return tap_done();
}
