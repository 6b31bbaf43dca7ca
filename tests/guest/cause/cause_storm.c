// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows that are late because of many short interrupts of one kind: function calls of
 * another CPU, timers, and packets that another CPU has sent.  The explanation names them,
 * for at least the time that they have taken, and its shares sum to the window.  See
 * explained.h for TASKRT_TEST_ROUNDS.
 */
#include <arpa/inet.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "explained.h"
#include "patience.h"
#include "self.h"
#include "setting.h"
#include "tap.h"
#include "task.h"
#include "thread.h"

#define RECEIVE	"/sys/class/net/lo/queues/rx-0/rps_cpus"
#define CPU	1	/* of the late thread */
#define EACH	MS
#define BURST	40		/* packets that are sent at once */
#define ROUNDS	96		/* of a storm whose interrupts are counted */
#define STUCK	(4 * EACH)	/* so long after one, the next is not received yet */

static int device, lo;
static pid_t ksoftirqd;		/* of the CPU of the late thread */

/* The thread on the other CPU that makes it late. */
static struct sender {
	void (*storm)(uint64_t ns);
	uint64_t ns;
	sem_t go;
	volatile int over;
	volatile int stuck;	/* the late thread is in the way of ksoftirqd */
	volatile unsigned int turns;	/* so often has the late thread looked at that */
} sender;

/* Interrupts of EACH, which take at least so long. */
static uint32_t rounds_of(uint64_t ns)
{
	return (ns + EACH - 1) / EACH;
}

static void call(uint64_t ns)
{
	device_storm(device, TASKRT_TEST_CALLS, CPU, rounds_of(ns), EACH);
}

static void expire(uint64_t ns)
{
	device_storm(device, TASKRT_TEST_TIMERS, CPU, rounds_of(ns), EACH);
}

/* If the emulator runs one processor at a time, this makes it turn to the other one. */
static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void receive_one(void)
{
	const uint64_t begin = clock_now();
	char byte;

	while (recv(lo, &byte, 1, MSG_DONTWAIT) != 1) {
		const uint64_t waited = clock_now() - begin;

		sender.stuck = waited > STUCK;
		if (waited > CLOCK_PATIENCE)
			tap_bail("a packet was lost");
		relax();
	}
	sender.stuck = 0;
}

/* Returns when there is nothing for ksoftirqd to do, and the late thread has the CPU again. */
static void await_late(void)
{
	const uint64_t end = clock_now() + CLOCK_PATIENCE;
	unsigned int turns;

	while (thread_letter(ksoftirqd) != 'S' && clock_now() < end) {
		sender.stuck = 1;
		relax();
	}
	sender.stuck = 0;
	/* Twice: it may have looked before. */
	for (turns = sender.turns; sender.turns - turns < 2 && clock_now() < end;)
		relax();
}

/* So few that one softirq may receive them all: it may receive 64. */
static void send_burst(void)
{
	int i;

	await_late();
	for (i = 0; i < BURST; i++)
		if (send(lo, "", 1, 0) != 1)
			tap_bail("send");
	for (i = 0; i < BURST; i++)
		receive_one();
}

/* What ksoftirqd receives is not taken from the thread: so many packets as it takes. */
static void send_many(uint64_t ns)
{
	const uint32_t before = device_taken(device);
	const uint64_t end = clock_now() + CLOCK_PATIENCE;

	while (device_taken(device) - before < rounds_of(ns) && clock_now() < end)
		send_burst();
}

static void run_sender(void *unused)
{
	(void)unused;
	thread_pin(0);
	for (;;) {
		sem_wait(&sender.go);
		sender.storm(sender.ns);
		sender.over = 1;
	}
}

/*
 * Computes until the storm is over.  A softirq that takes long leaves to ksoftirqd what is
 * raised meanwhile, and before 6.4 also all that follows, until ksoftirqd has run, which it
 * cannot beside a real-time thread that computes: this one sleeps for a moment then.
 */
static void endure(void (*storm)(uint64_t ns), uint64_t ns)
{
	sender.storm = storm;
	sender.ns = ns;
	sender.over = 0;
	sem_post(&sender.go);
	while (!sender.over) {
		sender.turns++;
		if (sender.stuck)
			clock_sleep(MS / 10);
		relax();
	}
}

static void calls(uint64_t ns)
{
	endure(call, ns);
}

static void timers(uint64_t ns)
{
	endure(expire, ns);
}

static void packets(uint64_t ns)
{
	endure(send_many, ns);
}

#define REASON(words, which, how)					\
	{ .name = words, .cause = which, .make = how, .whole = 1,	\
	  .least = 40 * MS, .most = 120 * MS }

static const struct reason by_calls = REASON("function calls", TASKRT_CAUSE_HARDIRQ, calls);
static const struct reason by_timers = REASON("timers", TASKRT_CAUSE_HARDIRQ, timers);
static const struct reason by_packets = REASON("packets", TASKRT_CAUSE_SOFTIRQ, packets);

/* It was many interrupts: so many rounds are in one at most. */
static void counted(struct taskrt_self *self, const struct reason *reason, uint32_t in_one)
{
	const unsigned int timer = reason->cause == TASKRT_CAUSE_SOFTIRQ ?
				   TASKRT_TIMER_SOFTIRQ : TASKRT_TIMER_HARDIRQ;
	struct taskrt_reading before, after;
	uint64_t number, tries = 0;

	/* Another thread may have had the CPU meanwhile. */
	do {
		self_get(self, &before);
		reason->make(ROUNDS * EACH);
		self_get(self, &after);
		number = after.counts.timers[timer] - before.counts.timers[timer];
	} while (number < ROUNDS / in_one && (++tries < 20 || patience_lasts()));
	tap_at_least(number, ROUNDS / in_one, "%s: each interrupt is counted", reason->name);
}

/* A socket that sends to itself. */
static int open_socket(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
	    getsockname(fd, (struct sockaddr *)&address, &size) ||
	    connect(fd, (struct sockaddr *)&address, size))
		tap_bail("a socket");
	return fd;
}

/* Packets of the loopback device are received on the CPU of the late thread. */
static void network(struct taskrt_self *self)
{
	char before[64] = "";

	if (thread_kernel_is_rt()) {
		tap_skip("packets", "softirqs run in threads on PREEMPT_RT");
		return;
	}
	if (!setting_read(RECEIVE, before, sizeof(before))) {
		tap_skip("packets", "this kernel does not steer what it receives");
		return;
	}
	ksoftirqd = task_named("ksoftirqd/1");
	lo = open_socket();
	setting_must_write(RECEIVE, "2");
	device_packets(device, gettid(), EACH);
	explained_check(self, &by_packets);
	counted(self, &by_packets, 64);
	device_packets(device, 0, 0);
	setting_write(RECEIVE, before);
	close(lo);
}

int main(void)
{
	struct taskrt_self *self;
	struct thread sending;

	if (sysconf(_SC_NPROCESSORS_ONLN) <= CPU) {
		tap_skip("storms", "needs two processors");
		return tap_done();
	}
	device = device_open();
	sem_init(&sender.go, 0, 0);
	thread_start(&sending, run_sender, NULL);
	self = explained_begin(CPU);
	explained_check(self, &by_calls);
	counted(self, &by_calls, TASKRT_TEST_CALLS_AT_ONCE);
	explained_check(self, &by_timers);
	/* The kernel looks up to four times for expired timers before an interrupt ends. */
	counted(self, &by_timers, 4);
	network(self);
	explained_end(self);
	return tap_done();
}
