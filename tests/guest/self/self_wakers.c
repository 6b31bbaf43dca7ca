// SPDX-License-Identifier: GPL-2.0-only
/*
 * An observed thread that is about to sleep is woken from two sides at once: by an
 * interrupt of its own CPU, for which the kernel takes no lock, and by another CPU.  After
 * that its counters are at rest, and a query for it returns.  (A query for a record that
 * never comes to rest does not return: then the test ends without it.)
 * TASKRT_TEST_SECONDS: for how long (10).
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
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "page.h"
#include "raw.h"
#include "recorder.h"
#include "relay.h"
#include "tap.h"
#include "thread.h"

#define BURST		(250 * MS)
#define EVENTS		"/sys/kernel/tracing/events/"

static struct thread sleeper;
static const struct taskrt_page *page;	/* the sleeper's */
static uint32_t word;			/* that it waits for; it never changes */
static struct relay relay;
static uint32_t rounds;
static int end;
static unsigned long woken, signals;
static unsigned long first;		/* times that the waker's wake-up was the first */
static int interrupted;			/* the sleeper is, by its own timers */
static int counter;			/* counts the sleeper's wake-ups by the waker */
static int question[2], answer[2];

static void on_signal(int number)
{
	(void)number;
	signals++;
}

/* Opens a perf event for a tracepoint that the caller passes; -1 on error. */
static int open_event(const char *path, unsigned int period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr),
		.sample_period = period, .wakeup_events = period,
	};
	FILE *file = fopen(path, "r");
	unsigned long long id;
	int got;

	if (!file)
		return -1;
	got = fscanf(file, "%llu", &id);
	fclose(file);
	if (got != 1)
		return -1;
	attr.config = id;
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * From now on an interrupt of its own CPU signals the caller each time that it has started
 * a timer, which it does when its state already says that it sleeps.
 */
static int interrupt_at_timers(void)
{
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	int fd = open_event(EVENTS "timer/hrtimer_start/id", 1);

	return fd >= 0 && !fcntl(fd, F_SETOWN_EX, &owner) && !fcntl(fd, F_SETSIG, SIGUSR1) &&
	       !fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
}

static void count_wakeups(void)
{
	char filter[32];

	snprintf(filter, sizeof(filter), "pid == %d", sleeper.tid);
	counter = open_event(EVENTS "sched/sched_wakeup/id", 0);
	if (ioctl(counter, PERF_EVENT_IOC_SET_FILTER, filter))
		tap_diag("wake-ups are not counted: %s", strerror(errno));
}

static uint64_t wakeups(void)
{
	uint64_t count = 0;

	return read(counter, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

static void sleep_each_round(void *unused)
{
	static const struct timespec timeout = { 0, MS };
	uint32_t round = 0;

	(void)unused;
	thread_pin(0);
	interrupted = interrupt_at_timers();
	__atomic_store_n(&page, page_own(), __ATOMIC_RELEASE);
	for (;;) {
		relay_follow(&relay, ++round);
		if (end)
			break;
		woken += !syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
		relay_done(&relay, round);
	}
}

/* Return: should it be earlier next time? */
static int one_wake(int turns)
{
	uint64_t before;
	int got, done;

	relay_begin(&relay, ++rounds);
	before = wakeups();
	relay_turn(turns);
	got = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	done = relay_is_done(&relay, rounds);
	relay_finish(&relay, rounds);
	/* The thread did not wait yet, or not any more. */
	if (got != 1)
		return done;
	/*
	 * Another wake-up came before this one, so this one should be earlier: the two
	 * meet where that changes.
	 */
	if (wakeups() == before)
		return 1;
	first++;
	return 0;
}

static void one_burst(void)
{
	static struct relay_aim aim = { .step = 20000, .least = 100 };
	uint64_t until = clock_now() + BURST;

	thread_pin(1);
	while (clock_now() < until)
		relay_correct(&aim, one_wake(aim.turns));
	/* A query that does not return keeps its CPU busy: leave it the other CPU. */
	thread_pin(0);
	thread_await(sleeper.tid, "S");
}

/* Answers the questions, in a process of its own. */
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

	if (pipe(question) || pipe(answer))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		close(question[1]);
		thread_pin(1);
		answer_all();
	}
	close(question[0]);
	if (pid < 0)
		tap_bail("fork");
}

/* The result of a GET of the sleeper; -ETIME: it did not return. */
static int asked(void)
{
	struct pollfd ready = { .fd = answer[0], .events = POLLIN };
	pid_t tid = sleeper.tid;
	int err;

	if (write(question[1], &tid, sizeof(tid)) != sizeof(tid))
		return -EPIPE;
	if (poll(&ready, 1, CLOCK_PATIENCE_MS) != 1)
		return -ETIME;
	return read(answer[0], &err, sizeof(err)) == sizeof(err) ? err : -EPIPE;
}

/* Both have woken it, its own CPU in every other round at least. */
static int is_woken_by_both(void)
{
	return woken && (!interrupted || signals >= rounds / 2);
}

static void hammer(void)
{
	uint64_t until = clock_now() + tap_setting("TASKRT_TEST_SECONDS", 10) * SEC;
	unsigned int bursts = 0, torn = 0;
	struct page_copy copy;
	int err = 0;

	while ((clock_now() < until ||
		(!is_woken_by_both() && clock_now() < until + CLOCK_PATIENCE)) && !err) {
		one_burst();
		bursts++;
		page_read(page, &copy);
		torn += !page_adds_up(page, &copy);
		err = asked();
	}
	tap_equal(torn, 0, "%u times: what it sees of itself adds up", bursts);
	tap_errno(err, 0, "%u times: and another process can query it", bursts);
}

static void prepare(void)
{
	struct recorder_arm arm = { .depth = 8 };
	static struct raw raw;

	start_asker();
	signal(SIGUSR1, on_signal);
	thread_start(&sleeper, sleep_each_round, NULL);
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
	count_wakeups();
	hammer();
	end = 1;
	relay_begin(&relay, rounds + 1);
	thread_join(&sleeper);
	tap_diag("%u sleeps, %lu times woken by the other CPU, %lu times as the first; %lu signals",
		 rounds, woken, first, signals);
	tap_at_least(woken, 1, "the other CPU woke it");
	if (interrupted)
		tap_at_least(signals, rounds / 2, "and its own one");
	else
		tap_skip("and its own one", "no perf event interrupts a thread here");
	return tap_done();
}
