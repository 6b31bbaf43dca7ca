// SPDX-License-Identifier: GPL-2.0-only
/* What can be measured. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/event.h"

/* Calls of the library, and calls to compare them with. */

#define BATCH	64	/* between two reads of the clock */

/* Inlined, so that what is measured is the call itself. */
static inline __attribute__((always_inline)) int
repeat(int (*call)(void *arg), void *arg, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns(), count = 0;
	int i, error = 0;

	do {
#pragma GCC unroll 16
		for (i = 0; i < BATCH && !error; i++)
			error = call(arg);
		count += BATCH;
	} while (!error && clock_now_ns() - began < ns);
	sample->ns = sample_each(began, count);
	return error;
}

static inline int read_self(void *self)
{
	struct taskrt_snapshot now;

	return taskrt_self_read(self, &now);
}

static int call_self(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	struct taskrt_self *self;
	int error = taskrt_self_open(&self, TASKRT_SELF_MAPPED);

	(void)site;
	if (error)
		return error;
	error = repeat(read_self, self, ns, sample);
	taskrt_self_close(self);
	return error;
}

static inline int get_own(void *handle)
{
	struct taskrt_reading reading;

	return taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, TASKRT_GROUP_TIMES, &reading,
			  sizeof(reading));
}

static int call_get(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	return repeat(get_own, site->handle, ns, sample);
}

static inline int read_clock(void *unused)
{
	struct timespec now;

	(void)unused;
	return clock_gettime(CLOCK_MONOTONIC, &now) ? -errno : 0;
}

static int call_clock(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	(void)site;
	return repeat(read_clock, NULL, ns, sample);
}

static inline int read_usage(void *unused)
{
	struct rusage usage;

	(void)unused;
	return getrusage(RUSAGE_THREAD, &usage) ? -errno : 0;
}

static int call_getrusage(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	(void)site;
	return repeat(read_usage, NULL, ns, sample);
}

/* Page faults that find their page in memory: private, anonymous memory is touched. */

#define AREA	(1U << 20)

struct area {
	volatile char *bytes;
	size_t page;		/* bytes */
	uint64_t pages, ns;	/* touched, and how long that took */
};

static long count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

/* Giving the pages back is not measured. */
static int touch(struct area *area)
{
	uint64_t began;
	size_t at;

	if (madvise((void *)area->bytes, AREA, MADV_DONTNEED))
		return -errno;
	began = clock_now_ns();
	for (at = 0; at < AREA; at += area->page)
		area->bytes[at] = 1;
	area->ns += clock_now_ns() - began;
	area->pages += AREA / area->page;
	return 0;
}

static int touch_for(struct area *area, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns();
	long faults = count_faults();
	int error;

	do
		error = touch(area);
	while (!error && clock_now_ns() - began < ns);
	if (error)
		return error;
	sample->ns = (double)area->ns / (double)area->pages;
	sample->check = (double)(count_faults() - faults) / (double)area->pages;
	sample->checked = 1;
	return 0;
}

static int fault_measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	struct area area = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	void *bytes = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int error;

	(void)site;
	if (bytes == MAP_FAILED)
		return -errno;
	/* A kernel without huge pages refuses, and needs no advice. */
	madvise(bytes, AREA, MADV_NOHUGEPAGE);
	area.bytes = bytes;
	error = touch_for(&area, ns, sample);
	munmap(bytes, AREA);
	return error;
}

/*
 * Processes that start and end.  Most of the time goes to copying this program's page tables,
 * and to the page faults of the child, which accounting makes longer as well.
 */
static int fork_once(void)
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(0);
	return waitpid(pid, NULL, 0) == pid ? 0 : -errno;
}

static int fork_measure(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns(), count = 0;
	int error;

	(void)site;
	do {
		error = fork_once();
		count++;
	} while (!error && clock_now_ns() - began < ns);
	sample->ns = sample_each(began, count);
	return error;
}

const struct event event_all[EVENT_COUNT] = {
	{
		.name = "switch", .what = "a switch and a wake-up", .measure = pingpong_measure,
		.check = "switches a round trip", .least = 1.98, .most = 2.02,
	}, {
		.name = "fault", .what = "a minor page fault", .measure = fault_measure,
		.check = "faults a page", .least = 0.99, .most = 1.01,
	}, {
		.name = "fork", .what = "fork, exit and wait", .measure = fork_measure,
		.remark = "with the page faults of the child",
	}, {
		.name = "self", .what = "taskrt_self_read()", .measure = call_self, .is_call = 1,
	}, {
		.name = "get", .what = "taskrt_get(), times", .measure = call_get, .is_call = 1,
	}, {
		.name = "clock", .what = "clock_gettime(CLOCK_MONOTONIC)", .measure = call_clock,
		.is_call = 1,
	}, {
		.name = "getrusage", .what = "getrusage(RUSAGE_THREAD)",
		.measure = call_getrusage, .is_call = 1,
	},
};

int event_find(const char *name)
{
	int i;

	for (i = 0; i < EVENT_COUNT; i++)
		if (!strcmp(event_all[i].name, name))
			return i;
	return -1;
}
