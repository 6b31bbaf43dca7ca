// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "event.h"
#include "raw.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define PAGES	256

static int device, there[2], back[2];
static char *area;
static struct raw raw;
static struct taskrt *handle;

static double each(uint64_t begin, unsigned long count)
{
	return (double)(clock_now() - begin) / count;
}

static void pass_one(int fd)
{
	if (write(fd, "x", 1) != 1)
		tap_bail("cannot write to a pipe");
}

static int take_one(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1 && byte == 'x';
}

static void answer_pings(void *unused)
{
	(void)unused;
	for (;;) {
		if (!take_one(there[0]))
			return;
		pass_one(back[1]);
	}
}

void event_prepare(void)
{
	static struct thread answerer;

	if (pipe(there) || pipe(back))
		tap_bail("cannot create a pipe");
	thread_start(&answerer, answer_pings, NULL);
	device = device_open();
	area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	madvise(area, PAGES * 4096, MADV_NOHUGEPAGE);
}

void event_connect(void)
{
	int err = raw_open(&raw);

	if (err)
		tap_bail("the netlink family is not available: %s", strerror(-err));
	handle = window_open();
}

void event_disconnect(void)
{
	if (!handle)
		return;
	raw_close(&raw);
	taskrt_close(handle);
	handle = NULL;
}

double event_switch(void)
{
	enum { ROUNDS = 4000 };
	uint64_t begin = clock_now();
	int i;

	for (i = 0; i < ROUNDS; i++) {
		pass_one(there[1]);
		if (!take_one(back[0]))
			tap_bail("cannot read from a pipe");
	}
	return each(begin, 2 * ROUNDS);
}

/* The time in madvise() is not measured. */
double event_fault(void)
{
	enum { ROUNDS = 20 };
	volatile char *bytes = area;
	uint64_t spent = 0, begin;
	int i, page;

	for (i = 0; i < ROUNDS; i++) {
		madvise(area, PAGES * 4096, MADV_DONTNEED);
		begin = clock_now();
		for (page = 0; page < PAGES; page++)
			bytes[page * 4096] = 1;
		spent += clock_now() - begin;
	}
	return (double)spent / (ROUNDS * PAGES);
}

static double contended(uint32_t lock)
{
	enum { ROUNDS = 1000 };
	double with = device_bench(device, lock, ROUNDS);
	double without = device_bench(device, TASKRT_TEST_BENCH_NOTHING, ROUNDS);

	return (with - without) / ROUNDS;
}

double event_mutex(void)
{
	return contended(TASKRT_TEST_MUTEX);
}

double event_rwsem_read(void)
{
	return contended(TASKRT_TEST_RWSEM_READ);
}

double event_rwsem_write(void)
{
	return contended(TASKRT_TEST_RWSEM_WRITE);
}

double event_free_mutex(void)
{
	enum { ROUNDS = 10000 };

	return (double)device_bench(device, TASKRT_TEST_BENCH_FREE, ROUNDS) / ROUNDS;
}

/*
 * vfork() and not fork(), because most of the measured cost would otherwise be the
 * copy-on-write faults.
 */
static void vfork_once(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

double event_fork(void)
{
	enum { ROUNDS = 150 };
	uint64_t begin = clock_now();
	int i;

	for (i = 0; i < ROUNDS; i++)
		vfork_once();
	return each(begin, ROUNDS);
}

/* Sends the same request repeatedly, and receives the answer each time. */
static double get(uint32_t tid, uint32_t version, int64_t groups)
{
	enum { ROUNDS = 1000 };
	struct raw_message message;
	char answer[4096];
	uint64_t begin;
	int i;

	raw_begin(&raw, &message, TASKRT_CMD_GET, 0);
	raw_put_u32(&message, TASKRT_A_TID, tid);
	if (version)
		raw_put_u32(&message, TASKRT_A_VERSION, version);
	if (groups != RAW_UNSAID)
		raw_put_u32(&message, TASKRT_A_GROUPS, groups);
	begin = clock_now();
	for (i = 0; i < ROUNDS; i++)
		if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0 ||
		    recv(raw.fd, answer, sizeof(answer), 0) < TASKRT_STATS_SIZE_V1)
			tap_bail("GET of %u: %s", tid, strerror(errno));
	return each(begin, ROUNDS);
}

double event_get_self(void)
{
	return get(0, 0, EVERY_GROUP);
}

double event_get_self_times(void)
{
	return get(0, 0, TASKRT_GROUP_TIMES);
}

double event_get_self_bare(void)
{
	return get(0, 0, 0);
}

double event_get_version_1(void)
{
	return get(0, 1, RAW_UNSAID);
}

double event_get_other(void)
{
	return get(1, 0, EVERY_GROUP);
}

static double library_self(uint32_t groups)
{
	enum { ROUNDS = 500 };
	uint64_t begin = clock_now();
	struct taskrt_reading reading;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, groups, &reading, sizeof(reading)))
			tap_bail("taskrt_get: %s", taskrt_error(handle));
	return each(begin, ROUNDS);
}

double event_library_self(void)
{
	return library_self(EVERY_GROUP);
}

double event_library_self_times(void)
{
	return library_self(TASKRT_GROUP_TIMES);
}

static void count(const struct raw_stats *stats, void *arg)
{
	(void)stats;
	(*(unsigned long *)arg)++;
}

static void begin_dump(struct raw_message *message, uint32_t groups)
{
	raw_begin(&raw, message, TASKRT_CMD_GET, NLM_F_DUMP);
	raw_put_u32(message, TASKRT_A_GROUPS, groups);
}

/* Receives the messages of a dump without parsing them, which is not a cost of the module. */
static uint64_t dump_ns(uint32_t groups)
{
	static char buffer[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nl = (void *)buffer;
	struct raw_message message;
	uint64_t begin;
	ssize_t n;

	begin_dump(&message, groups);
	begin = clock_now();
	if (send(raw.fd, &message, message.nl.nlmsg_len, 0) < 0)
		tap_bail("dump: %s", strerror(errno));
	do {
		n = recv(raw.fd, buffer, sizeof(buffer), 0);
		if (n <= 0)
			tap_bail("dump: %s", strerror(errno));
	} while (nl->nlmsg_type != NLMSG_DONE);
	return clock_now() - begin;
}

static double dump(uint32_t groups)
{
	enum { ROUNDS = 5 };
	struct raw_message message;
	struct raw_answer answer;
	unsigned long tasks = 0;
	uint64_t spent = 0;
	int i;

	begin_dump(&message, groups);
	raw_ask(&raw, &message, &answer, count, &tasks);
	for (i = 0; i < ROUNDS; i++)
		spent += dump_ns(groups);
	return (double)spent / (ROUNDS * tasks);
}

double event_dump(void)
{
	return dump(EVERY_GROUP);
}

double event_dump_times(void)
{
	return dump(TASKRT_GROUP_TIMES);
}

double event_getrusage(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	struct rusage usage;
	int i;

	for (i = 0; i < ROUNDS; i++)
		getrusage(RUSAGE_THREAD, &usage);
	return each(begin, ROUNDS);
}

double event_cpu_clock(void)
{
	enum { ROUNDS = 2000 };
	uint64_t begin = clock_now();
	int i;

	for (i = 0; i < ROUNDS; i++)
		clock_of(CLOCK_THREAD_CPUTIME_ID);
	return each(begin, ROUNDS);
}

double event_record_size(void)
{
	struct taskrt_info info;

	window_info(handle, &info);
	return info.record_size;
}
