// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "event.h"
#include "memcg.h"
#include "tap.h"

#define PAGES	256

static int device;
static char *area;

void hooked_prepare(void)
{
	device = device_open();
	area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	madvise(area, PAGES * 4096, MADV_NOHUGEPAGE);
}

/* The time in madvise() is not measured. */
double hooked_fault(void)
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

void hooked_fault_rounds(unsigned int faults)
{
	volatile char *bytes = area;
	unsigned int i;

	for (i = 0; i < faults; i++) {
		if (i % PAGES == 0)
			madvise(area, PAGES * 4096, MADV_DONTNEED);
		bytes[i % PAGES * 4096] = 1;
	}
}

/*
 * The least of several parts: what comes between, such as the timer's interrupt, only adds
 * to some of them.
 */
static double least(uint32_t what)
{
	enum { PARTS = 3, ROUNDS = 4000 };
	double part, best = device_bench(device, what, ROUNDS);
	int i;

	for (i = 1; i < PARTS; i++) {
		part = device_bench(device, what, ROUNDS);
		if (part < best)
			best = part;
	}
	return best / ROUNDS;
}

static double contended(uint32_t lock)
{
	return least(lock) - least(TASKRT_TEST_BENCH_NOTHING);
}

double hooked_mutex(void)
{
	return contended(TASKRT_TEST_MUTEX);
}

double hooked_rwsem_read(void)
{
	return contended(TASKRT_TEST_RWSEM_READ);
}

double hooked_rwsem_write(void)
{
	return contended(TASKRT_TEST_RWSEM_WRITE);
}

void hooked_mutex_rounds(unsigned int acquisitions)
{
	device_bench(device, TASKRT_TEST_MUTEX, acquisitions);
}

void hooked_nothing_rounds(unsigned int rounds)
{
	device_bench(device, TASKRT_TEST_BENCH_NOTHING, rounds);
}

double hooked_free_mutex(void)
{
	return least(TASKRT_TEST_BENCH_FREE);
}

/* By default, interrupts are not measured.  Without the module there is no such file. */
static void measure_interrupts(const char *value)
{
	FILE *file = fopen("/sys/module/taskrt/parameters/interrupts", "w");

	if (!file)
		return;
	fputs(value, file);
	fclose(file);
}

/* The least of several parts, as above. */
static double interrupted(uint32_t how)
{
	enum { PARTS = 3, ROUNDS = 4000 };
	double part, best = 0;
	uint64_t begin;
	int i;

	measure_interrupts("1");
	for (i = 0; i < PARTS; i++) {
		begin = clock_now();
		device_interrupt(device, how, ROUNDS, 0);
		part = event_each(begin, clock_now(), ROUNDS);
		if (!i || part < best)
			best = part;
	}
	measure_interrupts("0");
	return best;
}

double hooked_irq(void)
{
	return interrupted(TASKRT_TEST_HARD);
}

/* The number of local timer interrupts. */
static unsigned long ticks(void)
{
	unsigned long number = 0;
	char line[256];
	FILE *file = fopen("/proc/interrupts", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " LOC: %lu", &number) == 1)
			break;
	if (file)
		fclose(file);
	return number;
}

/* What remains of a time in which a known number of instructions was executed. */
double hooked_tick(void)
{
	enum { INSTRUCTIONS = 1000000000 };
	unsigned long left = INSTRUCTIONS / 2, before;
	uint64_t begin, spent;

	measure_interrupts("1");
	before = ticks();
	begin = clock_now();
	asm volatile("1: dec %0; jnz 1b" : "+r" (left) : : "cc");
	spent = clock_now() - begin;
	before = ticks() - before;
	measure_interrupts("0");
	return (double)(spent - INSTRUCTIONS) / before;
}

double hooked_softirq(void)
{
	return interrupted(TASKRT_TEST_SOFT);
}

/*
 * Who asks the kernel to free memory of a group that has none lets it try as often as it
 * tries in vain: it fails after that.
 */
double hooked_reclaim(void)
{
	enum { ROUNDS = 200, TRIES = 17 };
	uint64_t begin, end;
	char path[128];
	int i, fd;

	snprintf(path, sizeof(path), "%s/memory.reclaim", memcg_make() ?: "");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	begin = clock_now();
	for (i = 0; i < ROUNDS; i++)
		if (write(fd, "1M", 2) >= 0 || errno != EAGAIN)
			tap_bail("there was memory to free");
	end = clock_now();
	close(fd);
	memcg_remove();
	return event_each(begin, end, ROUNDS * TRIES);
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

void hooked_fork_rounds(unsigned int children)
{
	while (children--)
		vfork_once();
}

/*
 * What the module's worker and RCU do later for several tasks at once is part of it: as
 * much of it is under way at the begin as at the end.  A child copies and closes the files of
 * this thread, of which the configurations leave different numbers open: it keeps but three.
 */
double hooked_fork(void)
{
	enum { WARM_UP = 1000, ROUNDS = 4000 };
	uint64_t begin;

	if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_UNSHARE))
		tap_bail("close_range: %s", strerror(errno));
	hooked_fork_rounds(WARM_UP);
	begin = clock_now();
	hooked_fork_rounds(ROUNDS);
	return event_each(begin, clock_now(), ROUNDS);
}
