// SPDX-License-Identifier: GPL-2.0-only
/*
 * More threads sleep in page faults, or wait for locks, than a kretprobe has instances for:
 * the hook counts each that it could not time, and times those that come later.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "release.h"
#include "slow.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define STACK	(32 * 1024)
/* With so small a limit there are the fewest: 2,047 for faults, 1,023 for a lock. */
#define MAX_THREADS	"max_threads=3000"
#define FAULTS		2200
#define LOCKS		1100
#define MOST		(FAULTS > LOCKS ? FAULTS : LOCKS)

struct member {
	pthread_t id;
	void (*wait)(unsigned int i);
	unsigned int i;
	_Atomic pid_t tid;
};

static struct member crowd[MOST];
static struct slow *slow;
static int device;
static struct taskrt *handle;
static sem_t go, end;

static void *live(void *arg)
{
	struct member *member = arg;

	member->tid = gettid();
	sem_wait(&go);
	member->wait(member->i);
	sem_wait(&end);
	return NULL;
}

static void fault(unsigned int i)
{
	slow_page(slow, i)[0] = 1;
}

static void lock(unsigned int i)
{
	(void)i;
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

static void begin(unsigned int count, void (*wait)(unsigned int i))
{
	pthread_attr_t attr;
	unsigned int i;

	sem_init(&go, 0, 0);
	sem_init(&end, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (i = 0; i < count; i++) {
		crowd[i] = (struct member){ .wait = wait, .i = i };
		errno = pthread_create(&crowd[i].id, &attr, live, &crowd[i]);
		if (errno)
			tap_bail("thread %u: %s", i, strerror(errno));
	}
	pthread_attr_destroy(&attr);
	for (i = 0; i < count; i++)
		while (!crowd[i].tid)
			clock_sleep(MS);
	for (i = 0; i < count; i++)
		sem_post(&go);
}

static void finish(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		sem_post(&end);
	for (i = 0; i < count; i++)
		pthread_join(crowd[i].id, NULL);
}

static unsigned long long missed(const char *name)
{
	struct taskrt_hook hook;
	struct taskrt_info info;

	window_info(handle, &info);
	if (!window_find_hook(handle, name, &hook))
		tap_bail("no hook %s", name);
	return hook.misses;
}

static unsigned int timed(unsigned int count, unsigned int state)
{
	struct taskrt_reading reading;
	unsigned int i, found = 0;

	for (i = 0; i < count; i++) {
		window_thread(handle, crowd[i].tid, &reading);
		found += reading.stats.state == state;
	}
	return found;
}

/*
 * Waits until each of them is timed where it sleeps, or was missed.  On a PREEMPT_RT kernel each
 * may wait for a spinlock on its way there, and be missed more than once.
 * Return: how many are timed.
 */
static unsigned int await(const char *hook, unsigned int count, unsigned int state,
			  unsigned int least)
{
	const uint64_t until = clock_now() + 2 * CLOCK_PATIENCE;
	unsigned int found;

	do {
		clock_sleep(MS);
		found = timed(count, state);
	} while ((found < least || found + missed(hook) < count) && clock_now() < until);
	return found;
}

static void check(const char *hook, unsigned int count, unsigned int state, unsigned int least)
{
	const unsigned int found = await(hook, count, state, least);

	tap_at_least(found, least, "%s: most are timed", hook);
	tap_at_most(found, count - 1, "%s: not all", hook);
	tap_at_least(missed(hook), count - found, "%s: each other one is a miss that is counted",
		     hook);
}

static void touch(void *page)
{
	*(volatile char *)page = 1;
}

/* Where ftrace reports the entry, there is no limit. */
static int is_limited(void)
{
	struct taskrt_hook hook;
	struct taskrt_info info;

	window_info(handle, &info);
	return !window_find_hook(handle, "handle_mm_fault", &hook) ||
	       strcmp(hook.kind, "ftrace");
}

static void check_all(unsigned int count)
{
	tap_equal(await("handle_mm_fault", count, TASKRT_STATE_BLOCKED_FAULT, count), count,
		  "handle_mm_fault: all are timed");
	tap_equal(missed("handle_mm_fault"), 0, "handle_mm_fault: no miss is counted");
}

static void faults(void)
{
	struct window window;
	struct slow *other;

	module_again(MAX_THREADS);
	handle = window_open();
	slow = slow_new(FAULTS, SLOW_FOR_EVER);
	begin(FAULTS, fault);
	if (is_limited())
		check("handle_mm_fault", FAULTS, TASKRT_STATE_BLOCKED_FAULT, 2000);
	else
		check_all(FAULTS);
	slow_release(slow);
	finish(FAULTS);
	slow_free(slow);
	taskrt_close(handle);

	other = slow_new(1, 100 * MS);
	window_observe(&window, touch, (void *)slow_page(other, 0));
	slow_free(other);
	tap_at_least(window.delta.stats.page_fault_time_ns, 50 * MS, "then there are instances again");
}

/* Only where there are no tracepoints are locks seen by kretprobes. */
static void locks(void)
{
	const char *hook = thread_kernel_is_rt() ? "rt_mutex_slowpath" : "mutex_slowpath";

	if (!window_has_hook(hook)) {
		tap_skip("a crowd at a lock", "this kernel has tracepoints of locks");
		return;
	}
	module_again(MAX_THREADS);
	handle = window_open();
	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, TASKRT_TEST_FOR_EVER);
	begin(LOCKS, lock);
	check(hook, LOCKS, TASKRT_STATE_BLOCKED_LOCK, 1000);
	release(device);
	finish(LOCKS);
	taskrt_close(handle);
}

int main(void)
{
	/* Each of them would clear a huge page at the same time: there is not so much memory. */
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		tap_bail("huge pages: %s", strerror(errno));
	device = device_open();
	faults();
	locks();
	module_again("");
	return tap_done();
}
