// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows that are late for one reason each, by random times: the explanation names it, and
 * its shares sum to the window.  See explained.h for TASKRT_TEST_ROUNDS.
 */
#include <poll.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "explained.h"
#include "tap.h"
#include "thread.h"

#define CPU	1	/* of the late thread */
#define LEAST	(40 * MS)
#define MOST	(120 * MS)
#define SLEEP	(15 * MS)	/* until the timer that comes too late */

static int device;
static pid_t late;

/* Another thread, which makes it late. */
static struct maker {
	sem_t go;
	uint64_t ns;
} competitor, holder;

static void maker_go(struct maker *maker, uint64_t ns)
{
	maker->ns = ns;
	sem_post(&maker->go);
}

static void compete(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	thread_fifo(95);
	for (;;) {
		sem_wait(&competitor.go);
		clock_spin(competitor.ns);
	}
}

/* The CPU of the sleeper does nothing else meanwhile, and its timer has to wait. */
static void hold_timer(void *unused)
{
	(void)unused;
	thread_pin(0);
	for (;;) {
		sem_wait(&holder.go);
		thread_await(late, "S");
		device_steal(device, CPU, SLEEP + holder.ns, 0);
	}
}

static void computing(uint64_t ns)
{
	clock_spin(ns);
}

static void stolen(uint64_t ns)
{
	clock_spin(SLEEP);	/* it is certain that the CPU was not idle a tick ago */
	device_steal(device, CPU, ns, ns);
	clock_spin(SLEEP);	/* the next tick tells of it */
}

static void interrupts(uint64_t ns)
{
	device_interrupt(device, TASKRT_TEST_HARD, 4, ns / 4);
}

static void softirqs(uint64_t ns)
{
	device_interrupt(device, TASKRT_TEST_SOFT, 1, ns);
}

static void queued(uint64_t ns)
{
	maker_go(&competitor, ns);
}

static void late_timer(uint64_t ns)
{
	maker_go(&holder, ns);
	clock_sleep(SLEEP);
}

static void fault(uint64_t ns)
{
	volatile char *area = device_map(device, 1, TASKRT_TEST_UNINTERRUPTIBLE, 0, ns);

	*area = 1;
	device_unmap(area, 1);
}

static void lock(uint64_t ns)
{
	device_hold(device, TASKRT_TEST_MUTEX, TASKRT_TEST_UNINTERRUPTIBLE, ns);
	device_take(device, TASKRT_TEST_MUTEX, 0);
}

static void io(uint64_t ns)
{
	device_delay(device, TASKRT_TEST_IO, ns);
}

static void blocked(uint64_t ns)
{
	device_delay(device, TASKRT_TEST_UNINTERRUPTIBLE, ns);
}

static void in_ioctl(uint64_t ns)
{
	device_delay(device, TASKRT_TEST_INTERRUPTIBLE, ns);
}

static void futex(uint64_t ns)
{
	struct timespec until;
	sem_t never;

	sem_init(&never, 0, 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / SEC;
	until.tv_nsec %= SEC;
	sem_timedwait(&never, &until);
}

static void in_poll(uint64_t ns)
{
	poll(NULL, 0, ns / MS);
}

#define REASON(words, which, how)	\
	{ .name = words, .cause = which, .make = how, .least = LEAST, .most = MOST }

static const struct reason reasons[] = {
	REASON("computing", TASKRT_CAUSE_COMPUTING, computing),
	REASON("stolen", TASKRT_CAUSE_STOLEN, stolen),
	REASON("interrupts", TASKRT_CAUSE_HARDIRQ, interrupts),
	REASON("softirqs", TASKRT_CAUSE_SOFTIRQ, softirqs),
	REASON("queued", TASKRT_CAUSE_QUEUED, queued),
	REASON("late timer", TASKRT_CAUSE_EXPIRY, late_timer),
	REASON("page fault", TASKRT_CAUSE_FAULT, fault),
	REASON("kernel lock", TASKRT_CAUSE_LOCK, lock),
	REASON("I/O", TASKRT_CAUSE_IO, io),
	REASON("blocked", TASKRT_CAUSE_BLOCKED, blocked),
	REASON("read", TASKRT_CAUSE_FILE, in_ioctl),
	REASON("futex", TASKRT_CAUSE_FUTEX, futex),
	REASON("poll", TASKRT_CAUSE_POLL, in_poll),
	REASON("timer", TASKRT_CAUSE_TIMER, clock_sleep),
};

int main(void)
{
	struct thread competing, holding;
	struct taskrt_self *self;
	unsigned int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) <= CPU) {
		tap_skip("every cause", "needs two processors");
		return tap_done();
	}
	device = device_open();
	late = gettid();
	sem_init(&competitor.go, 0, 0);
	sem_init(&holder.go, 0, 0);
	thread_start(&competing, compete, NULL);
	thread_start(&holding, hold_timer, NULL);
	self = explained_begin(CPU);
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].cause == TASKRT_CAUSE_SOFTIRQ && thread_kernel_is_rt())
			tap_skip("softirqs", "they run in threads on PREEMPT_RT");
		else
			explained_check(self, &reasons[i]);
	}
	explained_end(self);
	return tap_done();
}
