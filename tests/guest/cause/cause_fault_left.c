// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fault that is not handled to its end: a signal interrupts it, and its handler computes,
 * sleeps, and never comes back.  None of that is a part of the fault.  And a fault of a
 * function whose return somebody else traces.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "module.h"
#include "self.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "tracer.h"
#include "window.h"

#define D	(60 * MS)
#define MOST	(D / 2)

static __thread sigjmp_buf out;
static _Atomic pid_t toucher;
static uint64_t entered, left;
static uint64_t burnt;		/* ns in which the thread has computed, in no fault */

static uint64_t cpu_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static void burn(void)
{
	const uint64_t begin = cpu_time();

	do {
		burnt = cpu_time() - begin;
	} while (burnt < D);
}

/* The rest of its running is enough for what it has computed in faults. */
static void check_burnt(const struct taskrt_reading *delta, const char *name)
{
	tap_at_most(delta->times.timers_ns[TASKRT_TIMER_FAULT_CPU] + burnt,
		    delta->times.states_ns[TASKRT_STATE_RUNNING] + MS,
		    "%s: computing is none in a fault", name);
}

static void handler(int signal)
{
	const struct timespec pause = { .tv_nsec = D };

	/* It has faults of its own, which are short. */
	(void)signal;
	entered = clock_now();
	burn();
	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	left = clock_now();
	siglongjmp(out, 1);
}

/* What happens once the thread has waited in the fault. */
static struct bell bell;
static bell_fn bell_rings;
static void *bell_arg;

static void set_bell(void)
{
	toucher = gettid();
	if (bell_rings)
		bell_set(&bell, 0, TASKRT_STATE_BLOCKED_FAULT, D, bell_rings, bell_arg);
}

static void observe(struct window *window, window_fn work, struct slow *slow, bell_fn rings)
{
	bell_rings = rings;
	bell_arg = slow;
	window_observe(window, work, (void *)slow_page(slow, 0));
	bell_join(&bell);
	bell_rings = NULL;
}

static void touch(void *page)
{
	set_bell();
	if (!sigsetjmp(out, 1))
		*(volatile char *)page = 1;
}

static void touch_mapped(void *page)
{
	struct taskrt_self *self;

	if (taskrt_self_open(&self, 0))
		tap_bail("cannot map the counters");
	touch(page);
	taskrt_self_close(self);
}

static void interrupt(void *unused)
{
	(void)unused;
	syscall(SYS_tgkill, getpid(), toucher, SIGUSR1);
}

static void by_signal(window_fn work, const char *name)
{
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	const struct taskrt_reading *delta;
	struct window window;

	observe(&window, work, slow, interrupt);
	slow_release(slow);
	slow_free(slow);

	delta = &window.delta;
	tap_at_least(delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT], D,
		     "%s: it waited in the fault", name);
	tap_at_least(delta->stats.page_fault_time_ns, D, "%s: that is page_fault_time", name);
	tap_at_most(delta->stats.page_fault_time_ns,
		    window.end_ns - window.begin_ns - (left - entered) + MOST,
		    "%s: the handler of the signal is not", name);
	check_burnt(delta, name);
	tap_at_most(delta->times.timers_ns[TASKRT_TIMER_FAULT_CPU] +
		    delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT],
		    delta->stats.page_fault_time_ns, "%s: nor is the wait in it", name);
	tap_at_least(delta->times.states_ns[TASKRT_STATE_SLEEPING_TIMER], MOST,
		     "%s: its sleep is none in a fault", name);
	tap_equal(window.after.stats.flags & TASKRT_FLAG_INCOMPLETE, 0, "%s: nothing is missing",
		  name);
	window_adds_up(&window.after);
}

/*
 * Another thread's buffer is copied by the kernel, which looks for the page again after it has
 * waited, and finds it: there is no second try.  Then the thread sleeps.
 */
static void copy(void *page)
{
	char byte;
	struct iovec local = { &byte, 1 }, remote = { page, 1 };

	set_bell();
	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
		tap_bail("process_vm_readv: %s", strerror(errno));
}

static void copy_slow(void *page)
{
	const struct timespec pause = { .tv_nsec = D };

	copy(page);
	entered = clock_now();
	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	left = clock_now();
}

/* What the thread computes next is its own, whenever the fault ends. */
static void copy_and_compute(void *page)
{
	copy(page);
	burn();
	clock_sleep(MS);
}

/* Does the kernel have that call?  One without CROSS_MEMORY_ATTACH has not. */
static int can_copy(void)
{
	char from = 1, to;
	struct iovec local = { &to, 1 }, remote = { &from, 1 };

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

static void release(void *slow)
{
	slow_release(slow);
}

static void by_kernel(void)
{
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	const struct taskrt_reading *delta;
	struct window window;

	if (!can_copy()) {
		slow_free(slow);
		tap_skip("for the kernel", "this kernel has no process_vm_readv()");
		return;
	}
	observe(&window, copy_slow, slow, release);
	slow_free(slow);

	delta = &window.delta;
	tap_at_least(delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT], D,
		     "for the kernel: it waited in the fault");
	tap_at_least(delta->stats.page_fault_time_ns, D, "for the kernel: that is page_fault_time");
	tap_at_most(delta->stats.page_fault_time_ns,
		    window.end_ns - window.begin_ns - (left - entered) + MOST,
		    "for the kernel: what comes after it is not");
	tap_at_least(delta->times.states_ns[TASKRT_STATE_SLEEPING_TIMER], MOST,
		     "for the kernel: a sleep after it is none in a fault");

	slow = slow_new(1, SLOW_FOR_EVER);
	observe(&window, copy_and_compute, slow, release);
	slow_free(slow);
	check_burnt(delta, "for the kernel");
}

#define PAGES	512

/* The kernel makes the pages by itself, and does not sleep for them. */
static void populate(void *unused)
{
	const size_t length = PAGES * sysconf(_SC_PAGESIZE);
	void *area;

	(void)unused;
	area = mmap(NULL, length, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (area == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	munmap(area, length);
}

static void by_populating(void)
{
	struct window window;

	window_observe(&window, populate, NULL);
	tap_at_least(VALUE(window.delta, MINOR_FAULT_NS), 1, "populated: the faults took time");
	tap_at_most(window.delta.stats.page_fault_time_ns, window.end_ns - window.begin_ns,
		    "populated: not more than there was");
	tap_at_least(window.delta.counts.timers[TASKRT_TIMER_FAULT], 1,
		     "populated: they are counted");
}

/*
 * The state that the module tells may be wrong here.  The thread may have slept for a moment
 * before it came to the fault.
 */
static void release_asleep(void *slow)
{
	while (!toucher)
		clock_sleep(MS);
	thread_await(toucher, "SD");
	clock_sleep(D);
	slow_release(slow);
}

static void wait_in_fault(struct window *window, window_fn work)
{
	struct slow *slow = slow_new(1, SLOW_FOR_EVER);
	struct thread thread;

	toucher = 0;
	thread_start(&thread, release_asleep, slow);
	window_observe(window, work, (void *)slow_page(slow, 0));
	thread_join(&thread);
	slow_free(slow);
}

/*
 * Whoever traces the return puts its own address on the stack.  Then one wait may be missed,
 * and the thread says so; the following ones are not.
 */
static void by_tracer(void)
{
	struct window window;
	int i;

	if (!tracer_start_functions("function_graph", "handle_mm_fault")) {
		tap_skip("a traced function", "this kernel has no function_graph tracer");
		return;
	}
	for (i = 0; i < 2; i++) {
		wait_in_fault(&window, touch);
		tap_diag("traced: in faults for %llu ns, blocked in them for %llu ns, flags %x",
			 (unsigned long long)window.delta.stats.page_fault_time_ns,
			 (unsigned long long)
			 window.delta.times.states_ns[TASKRT_STATE_BLOCKED_FAULT],
			 window.after.stats.flags);
		tap_ok(window.delta.stats.page_fault_time_ns >= MOST ||
		       window.after.stats.flags & TASKRT_FLAG_INCOMPLETE,
		       "traced: a wait is timed, or missing and said so");
	}
	for (i = 0; i < 2; i++) {
		wait_in_fault(&window, i || !can_copy() ? touch : copy_slow);
		tap_at_least(window.delta.stats.page_fault_time_ns, MOST,
			     "traced: then each wait is timed");
		tap_at_least(window.delta.times.states_ns[TASKRT_STATE_BLOCKED_FAULT], MOST,
			     "traced: as what it is");
	}
	tracer_stop_functions();
	/* The miss is not to be found by the tests that follow. */
	module_again("");
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(SIGUSR1, &action, NULL);
	by_signal(touch, "signal");
	by_signal(touch_mapped, "signal, mapped");
	by_kernel();
	by_populating();
	by_tracer();
	return tap_done();
}
