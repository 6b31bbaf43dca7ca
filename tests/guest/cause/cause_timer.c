// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer that fires too late is told from a wait that was meant: for each way to wait for
 * a time, over netlink and in mapped counters.  A window may begin when the thread should
 * have begun to work, and says why it did not: the timer was late, the thread was queued,
 * or whoever woke it was late.
 */
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <linux/futex.h>

#include <taskrt.h>
#define TASKRT_EXPERIMENTAL
#include <taskrt_experimental.h>

#include "clock.h"
#include "device.h"
#include "module.h"
#include "patience.h"
#include "self.h"
#include "tap.h"
#include "thread.h"
#include "token.h"
#include "window.h"

#define CPU	0
#define AHEAD	(30 * MS)	/* the expiry, from the beginning of the wait on */
#define HELD	(80 * MS)	/* the CPU is held from the wait on, for so long */
#define LEAST	(20 * MS)	/* so late is the thread, unless the host is busy */
#define EXPIRY	TASKRT_TIMER_EXPIRY

static int device;

/* Another thread, which holds the CPU of the one that waits. */
static struct holder {
	struct thread thread;
	sem_t go, done;
	volatile int competes;	/* otherwise it keeps interrupts off */
	volatile pid_t waiter;
} holder;

/* Returns at last when the thread has ended: on a busy host it may not have had to wait. */
static void await_sleep(pid_t tid)
{
	char letter;

	do
		letter = thread_letter(tid);
	while (letter && letter != 'S' && patience_lasts());
}

static void hold(void *unused)
{
	(void)unused;
	thread_pin(CPU);
	for (;;) {
		sem_wait(&holder.go);
		if (!holder.waiter)
			return;
		await_sleep(holder.waiter);
		if (holder.competes) {
			thread_fifo(50);
			clock_spin(HELD);
			thread_other();
		} else {
			device_interrupt(device, TASKRT_TEST_HARD, 1, HELD);
		}
		sem_post(&holder.done);
	}
}

/* Return: the time until which the caller is to wait, on its CPU, which is then held. */
static uint64_t be_held(int competes)
{
	thread_pin(CPU);
	holder.competes = competes;
	holder.waiter = syscall(SYS_gettid);
	sem_post(&holder.go);
	return clock_now() + AHEAD;
}

static void await_holder(void)
{
	while (sem_wait(&holder.done))
		;
}

static uint64_t rest_until(uint64_t expiry)
{
	uint64_t now = clock_now();

	return expiry > now ? expiry - now : 0;
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ ns / SEC, ns % SEC };
}

/* --- the ways to wait until a time of CLOCK_MONOTONIC */

static void by_nanosleep(uint64_t expiry)
{
	struct timespec at = timespec_of(expiry);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void by_realtime(uint64_t expiry)
{
	struct timespec at;
	uint64_t before, real;

	/* Read at the same time, but for a little of what is waited for. */
	do {
		before = clock_now();
		real = clock_of(CLOCK_REALTIME);
	} while (clock_now() - before > MS / 2);
	at = timespec_of(real + expiry - before);
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);
}

static void by_poll(uint64_t expiry)
{
	struct timespec rest = timespec_of(rest_until(expiry));

	ppoll(NULL, 0, &rest, NULL);
}

static void by_futex(uint64_t expiry)
{
	struct timespec at = timespec_of(expiry);
	uint32_t word = 0;

	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &at, NULL, FUTEX_BITSET_MATCH_ANY);
}

static int timerfd_until(uint64_t expiry)
{
	struct itimerspec when = { .it_value = timespec_of(expiry) };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL))
		tap_bail("timerfd");
	return fd;
}

static void by_timerfd(uint64_t expiry)
{
	int fd = timerfd_until(expiry);
	uint64_t times;

	if (read(fd, &times, sizeof(times)) != sizeof(times))
		tap_bail("reading a timerfd");
	close(fd);
}

static void by_epoll(uint64_t expiry)
{
	int fd = timerfd_until(expiry), epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) ||
	    epoll_wait(epoll, &event, 1, -1) != 1)
		tap_bail("epoll of a timerfd");
	close(epoll);
	close(fd);
}

static void by_signal(uint64_t expiry)
{
	struct itimerspec when = { .it_value = timespec_of(expiry) };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	sigset_t signals;
	timer_t timer;

	sigemptyset(&signals);
	sigaddset(&signals, SIGRTMIN);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, TIMER_ABSTIME, &when, NULL))
		tap_bail("timer_create");
	sigwaitinfo(&signals, NULL);
	timer_delete(timer);
}

enum { SLEEP, REALTIME, POLL, FUTEX, TIMERFD, EPOLL, SIGNAL, NR_WAYS };

static const struct way {
	const char *name;
	void (*wait)(uint64_t expiry);
	uint32_t state;
} ways[NR_WAYS] = {
	[SLEEP] = { "clock_nanosleep", by_nanosleep, TASKRT_STATE_SLEEPING_TIMER },
	[REALTIME] = { "clock_nanosleep, real time", by_realtime, TASKRT_STATE_SLEEPING_TIMER },
	[POLL] = { "ppoll", by_poll, TASKRT_STATE_SLEEPING_POLL },
	[FUTEX] = { "futex", by_futex, TASKRT_STATE_SLEEPING_FUTEX },
	[TIMERFD] = { "timerfd, read", by_timerfd, TASKRT_STATE_SLEEPING_FILE },
	[EPOLL] = { "timerfd, epoll", by_epoll, TASKRT_STATE_SLEEPING_POLL },
	[SIGNAL] = { "timer, signal", by_signal, TASKRT_STATE_SLEEPING_PAUSE },
};

/* --- over netlink */

static struct {
	const struct way *way;
	uint64_t at_most;
} late;

static void wait_held(void *unused)
{
	uint64_t expiry = be_held(0);

	(void)unused;
	late.way->wait(expiry);
	late.at_most = clock_now() - expiry;
	/* It may not have begun yet. */
	await_holder();
}

static void each_way(const struct way *way)
{
	const struct taskrt_reading *delta;
	struct window window;
	uint64_t ns;

	late.way = way;
	do {
		window_observe(&window, wait_held, NULL);
		delta = &window.delta;
		ns = delta->times.timers_ns[EXPIRY];
	} while (ns < LEAST && patience_lasts());
	tap_at_least(ns, LEAST, "%s: late", way->name);
	tap_at_most(ns, late.at_most + MS, "%s: not more than the thread saw", way->name);
	tap_at_least(delta->times.states_ns[way->state], ns, "%s: a part of its state", way->name);
	tap_at_least(delta->counts.timers[EXPIRY], 1, "%s: counted", way->name);
	window_check_longest(&window, &delta->longests.timers[EXPIRY], LEAST, way->name);
}

/* Some other thread ends a wait. */
static int bell[2];

static void ring(void *unused)
{
	(void)unused;
	clock_sleep(HELD);
	token_pass(bell[1]);
}

static void wait_for_bell(void *ringer)
{
	thread_start(ringer, ring, NULL);
	token_await(bell[0]);
	thread_join(ringer);
}

static void other_wakers(void)
{
	struct thread ringer;
	struct window window;

	window_observe(&window, wait_for_bell, &ringer);
	tap_equal(window.delta.counts.timers[EXPIRY], 0, "woken by a thread: no timer");
	tap_equal(window.delta.times.timers_ns[EXPIRY], 0, "woken by a thread: no time");
}

/* --- mapped */

static struct taskrt_window window;
static struct taskrt_explanation why;

/* Begins a window when it was due, and ends it. */
static void look_back(struct taskrt_self *self, uint64_t due)
{
	if (taskrt_window_begin_due(&window, self, due) || taskrt_window_end(&window) ||
	    taskrt_window_explain(&window, &why, sizeof(why)))
		tap_bail("a window that was due");
}

static uint64_t unexplained(void)
{
	uint32_t i;

	for (i = 0; i < why.nr; i++)
		if (why.shares[i].cause == TASKRT_CAUSE_UNEXPLAINED)
			return why.shares[i].ns;
	return 0;
}

/* On a busy host, the thread may have waited for its CPU at any other point. */
static int is_window(uint64_t due, uint32_t cause)
{
	return why.shares[0].cause == cause && why.shares[0].ns >= LEAST &&
	       window.begin_ns == due;
}

static void check_window(uint64_t due, uint32_t cause, const char *name)
{
	char line[600];

	taskrt_explanation_format(&why, sizeof(why), MS, line, sizeof(line));
	tap_equal(why.shares[0].cause, cause, "%s: %s", name, line);
	tap_at_least(why.shares[0].ns, LEAST, "%s: for so long", name);
	tap_equal(window.flags & TASKRT_WINDOW_DUE, TASKRT_WINDOW_DUE, "%s: it was due", name);
	tap_equal(window.begin_ns, due, "%s: then", name);
	tap_equal(unexplained(), 0, "%s: all of it is explained", name);
}

/* A real-time thread: its timers fire when they were set for. */
static void held(struct taskrt_self *self, const struct way *way, int competes, uint32_t cause,
		 const char *name)
{
	struct taskrt_reading before, after;
	uint64_t expiry;

	thread_fifo(10);
	do {
		self_get(self, &before);
		expiry = be_held(competes);
		way->wait(expiry);
		look_back(self, 0);
		self_get(self, &after);
		await_holder();
	} while (!is_window(expiry, cause) && patience_lasts());
	thread_other();
	check_window(expiry, cause, name);
	tap_at_least(after.counts.timers[EXPIRY] - before.counts.timers[EXPIRY], 1,
		     "%s: counted", name);
	if (cause != TASKRT_CAUSE_EXPIRY)
		return;
	tap_at_least(after.times.timers_ns[EXPIRY] - before.times.timers_ns[EXPIRY], LEAST,
		     "%s: in the counters", name);
	tap_at_least(why.longest.ns, LEAST, "%s: the longest", name);
	tap_equal(why.longest.at_ns, expiry, "%s: began at the expiry", name);
	tap_equal(why.state, way->state, "%s: asleep meanwhile", name);
}

static void late_waker(struct taskrt_self *self)
{
	struct thread ringer;
	uint64_t due;

	do {
		thread_start(&ringer, ring, NULL);
		/* Whoever joins the other one may have to wait for it, so that comes later. */
		due = clock_now() + AHEAD;
		token_await(bell[0]);
		look_back(self, due);
		thread_join(&ringer);
	} while (!is_window(due, TASKRT_CAUSE_FILE) && patience_lasts());
	check_window(due, TASKRT_CAUSE_FILE, "a late waker");
}

/* Where nothing was due, the window begins now. */
static void not_due(struct taskrt_self *self)
{
	struct thread ringer;

	thread_start(&ringer, ring, NULL);
	token_await(bell[0]);
	look_back(self, 0);
	tap_equal(window.flags & TASKRT_WINDOW_DUE, 0, "no timer: nothing was due");
	thread_join(&ringer);
	look_back(self, clock_now() + 3600 * SEC);
	tap_equal(window.flags & TASKRT_WINDOW_DUE, 0, "the time has not come yet");
	clock_sleep_times(MS, 1);
	look_back(self, clock_now());
	tap_equal(window.flags & TASKRT_WINDOW_DUE, 0, "the thread was at work already");
	look_back(self, 0);
	tap_equal(window.flags & TASKRT_WINDOW_DUE, TASKRT_WINDOW_DUE, "the timer's time");
	look_back(self, 0);
	tap_equal(window.flags & TASKRT_WINDOW_DUE, 0, "but once only");
}

static void mapped(void)
{
	struct taskrt_self *self = self_open();

	held(self, &ways[SLEEP], 0, TASKRT_CAUSE_EXPIRY, "a late timer");
	held(self, &ways[EPOLL], 0, TASKRT_CAUSE_EXPIRY, "a late timerfd");
	held(self, &ways[SLEEP], 1, TASKRT_CAUSE_QUEUED, "a competitor");
	late_waker(self);
	not_due(self);
	taskrt_self_close(self);
}

int main(void)
{
	sigset_t signals;
	unsigned int i;

	/* Before there are other threads, which would take the signal. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	device = device_open();
	if (pipe(bell) || sem_init(&holder.go, 0, 0) || sem_init(&holder.done, 0, 0))
		tap_bail("a pipe, and semaphores");
	taskrt_close(window_open());
	thread_start(&holder.thread, hold, NULL);
	for (i = 0; i < NR_WAYS; i++)
		each_way(&ways[i]);
	other_wakers();
	mapped();
	holder.waiter = 0;
	sem_post(&holder.go);
	thread_join(&holder.thread);
	return tap_done();
}
