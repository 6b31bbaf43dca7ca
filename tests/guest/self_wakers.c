// SPDX-License-Identifier: GPL-2.0-only
/*
 * A watched thread that is about to sleep is woken from two sides at once: by an
 * interrupt of its own CPU, for which the kernel takes no lock, and by another CPU.
 * After that its counters are at rest, and anybody may ask for it.  (Who asks for
 * one that never comes to rest does not come back: then this ends without him.)
 * TASKRT_TEST_SECONDS: how long (8).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "tap.h"
#include "thread.h"

#define BURST		(250 * MS)
#define PATIENCE_MS	10000
#define LONGEST		10000000U	/* turns of a loop */
#define FIRST_STEP	2000U
#define LAST_STEP	200U
#define EVENT		"/sys/kernel/tracing/events/timer/hrtimer_start/id"

static struct thread sleeper, waker;
static const struct taskrt_page *page;	/* the sleeper's */
static int go[2];			/* it waits here between the bursts */
static uint32_t word;			/* and for this one meanwhile, which never changes */
static uint32_t at_it, end;
static uint32_t round_ready, round_begun, round_done;
static unsigned long sleeps, woken, signals;
static int interrupted;			/* by its own timers */
static int question[2], answer[2];

static uint32_t load(const uint32_t *from)
{
	return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *to, uint32_t value)
{
	__atomic_store_n(to, value, __ATOMIC_RELEASE);
}

/* Shorter than any clock can tell. */
static void turn(uint32_t turns)
{
	volatile uint32_t turned = 0;

	while (turned < turns)
		turned++;
}

static void on_signal(int number)
{
	(void)number;
	signals++;
}

/*
 * From now on an interrupt of its own CPU signals the caller each time that it has
 * started a timer: as it does when its state says already that it sleeps.
 */
static int interrupt_at_timers(void)
{
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
		.sample_period = 1, .wakeup_events = 1,
	};
	FILE *file = fopen(EVENT, "r");
	unsigned long long id = 0;
	int fd;

	if (!file)
		return 0;
	if (fscanf(file, "%llu", &id) == 1)
		attr.config = id;
	fclose(file);
	/* It stays open for as long as there is the thread. */
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return id && fd >= 0 && !fcntl(fd, F_SETOWN_EX, &owner) &&
	       !fcntl(fd, F_SETSIG, SIGUSR1) && !fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
}

static void one_sleep(void)
{
	static const struct timespec timeout = { 0, MS };
	uint32_t round = load(&round_done) + 1;

	while (load(&round_ready) != round && load(&at_it))
		;
	sleeps++;
	store(&round_begun, round);
	woken += !syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
	store(&round_done, round);
}

static void sleep_often(void *unused)
{
	char byte;

	(void)unused;
	thread_pin(0);
	interrupted = interrupt_at_timers();
	__atomic_store_n(&page, page_own(), __ATOMIC_RELEASE);
	while (!load(&end)) {
		if (load(&at_it))
			one_sleep();
		else if (read(go[0], &byte, 1) < 0 && errno != EINTR)
			tap_bail("pipe");
	}
}

/* What a wake-up of one came to. */
enum moment {
	TOO_EARLY,
	RIGHT,
	TOO_LATE,
};

static enum moment one_wake(uint32_t delay)
{
	uint32_t round = load(&round_done) + 1;
	enum moment moment = TOO_EARLY;

	store(&round_ready, round);
	while (load(&round_begun) != round && load(&at_it))
		;
	turn(delay);
	if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 1)
		moment = RIGHT;
	else if (load(&round_done) == round)
		moment = TOO_LATE;
	while (load(&round_done) != round && load(&at_it))
		;
	return moment;
}

/* Nearer and nearer to the right moment, then to and fro there. */
static uint32_t corrected(uint32_t delay, uint32_t step, enum moment moment)
{
	if (moment == TOO_EARLY || (moment == RIGHT && rand() % 2))
		return delay < LONGEST ? delay + step : 0;
	return delay > step ? delay - step : 0;
}

static void wake_often(void *unused)
{
	uint32_t delay = 0, step = FIRST_STEP;

	(void)unused;
	thread_pin(1);
	while (!load(&end)) {
		if (!load(&at_it)) {
			clock_sleep(MS);
			continue;
		}
		delay = corrected(delay, step, one_wake(delay));
		step = step > LAST_STEP ? step * 9 / 10 : (uint32_t)rand() % LAST_STEP;
	}
}

/* In a process of its own. */
static void answer_all(void)
{
	struct raw_answer got;
	struct raw raw;
	int err = raw_open(&raw);
	pid_t tid;

	while (read(question[0], &tid, sizeof(tid)) == sizeof(tid)) {
		if (!err)
			err = raw_get(&raw, TASKRT_A_TID, tid, 0, &got);
		if (write(answer[1], &err, sizeof(err)) != sizeof(err))
			break;
	}
	_exit(0);
}

static void start_asker(void)
{
	pid_t pid;

	if (pipe(question) || pipe(answer) || pipe(go))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		close(question[1]);
		answer_all();
	}
	close(question[0]);
	if (pid < 0)
		tap_bail("fork");
}

/* What GET of the sleeper comes to; -ETIME: nothing. */
static int asked(void)
{
	struct pollfd ready = { .fd = answer[0], .events = POLLIN };
	pid_t tid = sleeper.tid;
	int err;

	if (write(question[1], &tid, sizeof(tid)) != sizeof(tid))
		return -EPIPE;
	if (poll(&ready, 1, PATIENCE_MS) != 1)
		return -ETIME;
	return read(answer[0], &err, sizeof(err)) == sizeof(err) ? err : -EPIPE;
}

static void wake_the_sleeper(void)
{
	if (write(go[1], "x", 1) != 1)
		tap_bail("pipe");
}

static void one_burst(void)
{
	store(&at_it, 1);
	wake_the_sleeper();
	clock_sleep(BURST);
	store(&at_it, 0);
	thread_await(sleeper.tid, "S");
}

static void hammer(void)
{
	uint64_t until = clock_now() + tap_setting("TASKRT_TEST_SECONDS", 8) * SEC;
	unsigned int bursts = 0, torn = 0;
	struct page_copy copy;
	int err = 0;

	while (clock_now() < until && !err) {
		one_burst();
		bursts++;
		page_read(page, &copy);
		torn += !page_adds_up(page, &copy);
		err = asked();
	}
	tap_equal(torn, 0, "%u times: what it sees of itself adds up", bursts);
	tap_errno(err, 0, "%u times: and it is told of, to somebody else", bursts);
}

static void prepare(void)
{
	struct recorder_arm arm = { .depth = 8 };
	static struct raw raw;

	start_asker();
	signal(SIGUSR1, on_signal);
	thread_start(&sleeper, sleep_often, NULL);
	while (!__atomic_load_n(&page, __ATOMIC_ACQUIRE))
		clock_sleep(MS);
	arm.tid = sleeper.tid;
	if (raw_open(&raw) || recorder_arm(&raw, &arm, NULL))
		tap_bail("arming");
}

int main(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("woken from two sides", "there is only one CPU");
		return tap_done();
	}
	prepare();
	thread_start(&waker, wake_often, NULL);
	hammer();
	store(&end, 1);
	wake_the_sleeper();
	thread_join(&waker);
	thread_join(&sleeper);
	tap_diag("%lu sleeps, %lu times woken by the other CPU, %lu by its own", sleeps, woken,
		 signals);
	tap_at_least(woken, 1, "the other CPU woke it");
	if (interrupted)
		tap_at_least(signals, sleeps / 2, "and its own one");
	else
		tap_skip("and its own one", "no perf event interrupts a thread here");
	return tap_done();
}
