// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <taskrt.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "device.h"
#include "state.h"
#include "tap.h"
#include "window.h"

#define LONGEST	(60 * SEC)		/* what the test module can be told */

/* The signal only interrupts: system calls are not restarted. */
static void on_signal(int number)
{
	(void)number;
}

static void catch_signal(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (sigaction(SIGUSR2, &action, NULL))
		tap_bail("sigaction");
}

static void wait_and_ring(void *arg)
{
	struct taskrt *handle = window_open();
	struct bell *bell = arg;

	state_await_for(handle, bell->tid, bell->state, bell->ns);
	taskrt_close(handle);
	bell->fn(bell->arg);
}

void bell_set(struct bell *bell, pid_t tid, uint32_t state, uint64_t ns, bell_fn fn, void *arg)
{
	memset(bell, 0, sizeof(*bell));
	bell->tid = tid ?: gettid();
	bell->state = state;
	bell->ns = ns;
	bell->fn = fn;
	bell->arg = arg;
	thread_start(&bell->thread, wait_and_ring, bell);
}

void bell_join(struct bell *bell)
{
	thread_join(&bell->thread);
}

static void wake(void *tid)
{
	tgkill(getpid(), *(pid_t *)tid, SIGUSR2);
}

void bell_sleep(uint64_t ns)
{
	static const struct timespec for_ever = { 1000000, 0 };
	pid_t tid = gettid();
	struct bell bell;

	catch_signal();
	bell_set(&bell, tid, TASKRT_STATE_SLEEPING_TIMER, ns, wake, &tid);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &for_ever, NULL);
	bell_join(&bell);
}

/* The test module gives up by itself after a while. */
static void hold(void *arg)
{
	struct bell_culprit *culprit = arg;

	prctl(PR_SET_NAME, "culprit");
	device_take_until(culprit->device, culprit->lock, LONGEST);
	if (!culprit->stop)
		tap_bail("nobody waited for the lock in time");
}

void bell_take(struct bell_culprit *culprit, int device, uint32_t lock)
{
	struct taskrt *handle = window_open();

	memset(culprit, 0, sizeof(*culprit));
	catch_signal();
	culprit->device = device;
	culprit->lock = lock;
	thread_start(&culprit->thread, hold, culprit);
	/* The thread sleeps nowhere else, and there only when it has the lock. */
	window_await(handle, culprit->thread.tid, TASKRT_STATE_SLEEPING_FILE);
	taskrt_close(handle);
}

static void drop(void *arg)
{
	struct bell_culprit *culprit = arg;

	culprit->stop = 1;
	tgkill(getpid(), culprit->thread.tid, SIGUSR2);
}

void bell_drop_after(struct bell_culprit *culprit, pid_t tid, uint64_t ns)
{
	bell_set(&culprit->bell, tid, TASKRT_STATE_BLOCKED_LOCK, ns, drop, culprit);
}

void bell_drop(struct bell_culprit *culprit)
{
	drop(culprit);
}

void bell_end(struct bell_culprit *culprit)
{
	if (culprit->bell.tid)
		bell_join(&culprit->bell);
	thread_join(&culprit->thread);
}
