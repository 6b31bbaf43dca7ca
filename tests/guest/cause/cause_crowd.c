// SPDX-License-Identifier: GPL-2.0-only
/*
 * More threads sleep in page faults, or wait for locks, than the hooks have room for: whom
 * they could not time is marked as incomplete, and nobody else is.
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
/* With so small a limit the hooks have the least room: 2,047 for faults, 1,023 for a lock. */
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

static int is_incomplete(const struct taskrt_reading *reading)
{
	return !!(reading->stats.flags & TASKRT_FLAG_INCOMPLETE);
}

struct tally {
	unsigned int timed;	/* in the state */
	unsigned int marked;
	unsigned int neither;
};

/*
 * Waits until each of them is timed where it should sleep, or marked.  On a PREEMPT_RT kernel
 * each may wait for a spinlock on its way there.
 */
static struct tally await_all(unsigned int count, unsigned int state)
{
	struct taskrt_reading reading;
	const uint64_t until = clock_now() + 2 * CLOCK_PATIENCE;
	struct tally tally = { 0 };
	unsigned int i;

	for (i = 0; i < count; i++) {
		window_thread(handle, crowd[i].tid, &reading);
		while (reading.stats.state != state && !is_incomplete(&reading) &&
		       clock_now() < until) {
			clock_sleep(MS);
			window_thread(handle, crowd[i].tid, &reading);
		}
		tally.timed += reading.stats.state == state;
		tally.marked += is_incomplete(&reading);
		tally.neither += reading.stats.state != state && !is_incomplete(&reading);
	}
	return tally;
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

static void check(const char *hook, unsigned int count, unsigned int state, unsigned int least)
{
	struct tally tally = await_all(count, state);
	struct taskrt_reading process;

	tap_at_least(tally.timed, least, "%s: most are timed", hook);
	tap_at_most(tally.timed, count - 1, "%s: not all", hook);
	tap_at_least(tally.marked, 1, "%s: some are marked", hook);
	tap_equal(tally.neither, 0, "%s: nobody is neither", hook);
	/* Whoever is in it may have been refused in a short fault before. */
	tap_at_most(tally.marked, count - least, "%s: most are not marked", hook);
	tap_at_least(missed(hook), tally.marked, "%s: each mark is a miss that is counted", hook);
	window_process(handle, 0, &process);
	tap_equal(is_incomplete(&process), 1, "%s: so is their process", hook);
}

/* Who comes when there is room again is timed, and whom it hit stays marked. */
static void check_after(const char *hook, unsigned int count, unsigned int marked_before)
{
	struct taskrt_reading reading;
	unsigned int i, marked = 0;

	for (i = 0; i < count; i++) {
		window_thread(handle, crowd[i].tid, &reading);
		marked += is_incomplete(&reading);
	}
	tap_at_least(marked, marked_before, "%s: who was marked stays it", hook);
	tap_at_most(marked, count - 1, "%s: not all are", hook);
}

static void touch(void *page)
{
	*(volatile char *)page = 1;
}

/* Where ftrace reports the entry, there is room for everybody. */
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
	struct tally tally = await_all(count, TASKRT_STATE_BLOCKED_FAULT);

	tap_equal(tally.timed, count, "handle_mm_fault: all are timed");
	tap_equal(tally.marked, 0, "handle_mm_fault: nobody is marked");
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
		check("handle_mm_fault", FAULTS, TASKRT_STATE_BLOCKED_FAULT, 1500);
	else
		check_all(FAULTS);
	slow_release(slow);
	if (is_limited())
		check_after("handle_mm_fault", FAULTS, 1);
	finish(FAULTS);
	slow_free(slow);
	taskrt_close(handle);

	other = slow_new(1, 100 * MS);
	window_observe(&window, touch, (void *)slow_page(other, 0));
	slow_free(other);
	tap_at_least(window.delta.stats.page_fault_time_ns, 50 * MS, "then there is room again");
	tap_equal(is_incomplete(&window.after), 0, "and no mark");
}

/* Only where there are no tracepoints does a hook need room for who waits for a lock. */
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
	check(hook, LOCKS, TASKRT_STATE_BLOCKED_LOCK, 750);
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
