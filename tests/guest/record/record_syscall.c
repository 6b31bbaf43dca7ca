// SPDX-License-Identifier: GPL-2.0-only
/* An alert says in which system call a thread left the CPU, and whether it was in one. */
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bell.h"
#include "clock.h"
#include "flight.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(80 * MS)
#define MOST	(D / 2)
#define NONE	(-1)

static int channel[2];

static void check(const struct flight *flight, uint32_t state, uint64_t least, long number)
{
	const struct alert_event *found = flight_find(flight, state, least);
	const struct taskrt_event *event = &found->event;
	int known;

	if (!found)
		return;
	known = !!(event->flags & TASKRT_EVENT_SYSCALL);
	if (!tap_ok(known == (number != NONE) && event->syscall == (known ? number : 0),
		    "%s: the system call", flight->name))
		tap_diag("%s %u, expected %ld", known ? "was in" : "was in none,", event->syscall,
			 number);
}

static void write_byte(void *unused)
{
	(void)unused;
	if (write(channel[1], "x", 1) != 1)
		tap_bail("write");
}

/* How to wait for that byte. */
static const struct {
	const char *name;
	long number;
	uint32_t state;
} waits[] = {
	{ "read", SYS_read, TASKRT_STATE_SLEEPING_FILE },
	{ "readv", SYS_readv, TASKRT_STATE_SLEEPING_FILE },
	{ "ppoll", SYS_ppoll, TASKRT_STATE_SLEEPING_POLL },
};

static ssize_t take_byte(long number)
{
	struct pollfd fd = { .fd = channel[0], .events = POLLIN };
	char byte;
	struct iovec vector = { &byte, 1 };

	if (number == SYS_readv)
		return readv(channel[0], &vector, 1);
	if (number == SYS_ppoll)
		ppoll(&fd, 1, NULL, NULL);
	return read(channel[0], &byte, 1);
}

static unsigned int which;

static void wait_for_byte(void *unused)
{
	struct bell bell;

	(void)unused;
	bell_set(&bell, 0, waits[which].state, D, write_byte, NULL);
	take_byte(waits[which].number);
	bell_join(&bell);
}

static void asleep(void)
{
	struct flight flight;

	for (which = 0; which < sizeof(waits) / sizeof(waits[0]); which++) {
		flight_observe(&flight, waits[which].name, wait_for_byte, NULL);
		check(&flight, waits[which].state, D - MS, waits[which].number);
	}
}

static sem_t go;
static _Atomic int is_above, computes, taken;

/* Takes the CPU from the victim, when that lets it begin, or when it computes. */
static void hog(void *is_let)
{
	thread_pin(0);
	thread_fifo(60);
	is_above = 1;
	if (is_let)
		sem_wait(&go);
	while (!is_let && !computes)
		clock_sleep(MS);
	clock_spin(D);
	taken = 1;
}

static void start_hog(struct thread *thread, int is_let)
{
	struct taskrt *handle = window_open();

	is_above = 0;
	computes = 0;
	taken = 0;
	thread_start(thread, hog, is_let ? &go : NULL);
	while (!is_above)
		clock_sleep(MS);
	if (is_let)
		window_await(handle, thread->tid, TASKRT_STATE_SLEEPING_FUTEX);
	taskrt_close(handle);
}

static void let_hog(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	sem_post(&go);
}

static void compute(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(10);
	computes = 1;
	clock_spin_until(taken);
}

static void preempted(const char *name, flight_fn fn, int is_let, long number)
{
	struct flight flight;
	struct thread thread;

	start_hog(&thread, is_let);
	flight_observe(&flight, name, fn, NULL);
	thread_join(&thread);
	check(&flight, TASKRT_STATE_PREEMPTED, MOST, number);
}

#ifdef __x86_64__
/* poll(2) as a 32-bit program calls it. */
static int poll_32(int ms)
{
	int ret;

	asm volatile("int $0x80" : "=a"(ret) : "a"(168), "b"(NULL), "c"(0), "d"(ms) : "memory",
		     "r8", "r9", "r10", "r11");
	return ret;
}

static void nap_32(void *unused)
{
	(void)unused;
	poll_32(D / MS);
}

static void other_abi(void)
{
	struct flight flight;

	if (poll_32(0) == -ENOSYS) {
		tap_skip("32 bits", "this kernel does not run 32-bit programs");
		return;
	}
	flight_observe(&flight, "32 bits", nap_32, NULL);
	check(&flight, TASKRT_STATE_SLEEPING, MOST, NONE);
}
#else
static void other_abi(void)
{
}
#endif

int main(void)
{
	sem_init(&go, 0, 0);
	if (pipe(channel))
		tap_bail("pipe");
	flight_open();
	asleep();
	preempted("in futex", let_hog, 1, SYS_futex);
	preempted("computing", compute, 0, NONE);
	other_abi();
	flight_close();
	return tap_done();
}
