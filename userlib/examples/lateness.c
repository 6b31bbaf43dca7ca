// SPDX-License-Identifier: LGPL-2.1-or-later
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <taskrt.h>

#include "lateness.h"

#define SEC	1000000000L

static uint64_t lateness_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SEC + now.tv_nsec;
}

static void compute(void)
{
	uint64_t end = now_ns() + lateness_ns;

	while (now_ns() < end)
		;
}

static void nap(void)
{
	struct timespec period = { lateness_ns / SEC, lateness_ns % SEC };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
}

/* Threads with a higher priority, on the CPUs of the callback and of the server. */
static sem_t competitor_goes, other_goes;

static void *compete(void *goes)
{
	pthread_setname_np(pthread_self(), "competitor");
	for (;;) {
		while (sem_wait(goes))
			;
		compute();
	}
	return goes;
}

static void be_preempted(void)
{
	sem_post(&competitor_goes);
}

static void hold_server(void)
{
	sem_post(&other_goes);
}

/* The callback comes too late, and does nothing about it. */
static void come_late(void)
{
}

/* An ordinary thread of this process on another CPU, which executes orders. */
static void (*_Atomic order)(void);
static sem_t ordered;

static void *obey(void *unused)
{
	pthread_setname_np(pthread_self(), "sibling");
	for (;;) {
		while (sem_wait(&ordered))
			;
		order();
	}
	return unused;
}

static void tell_sibling(void (*what)(void))
{
	order = what;
	sem_post(&ordered);
}

/* A page fault that the sibling handles late, with userfaultfd(2). */
static char *page;
static size_t page_size;
static int faults;
static atomic_int sibling_waits;

static void bring_page(void)
{
	struct uffdio_zeropage zero = { .range = { (uintptr_t)page, page_size } };
	struct uffd_msg fault;

	madvise(page, page_size, MADV_DONTNEED);
	sibling_waits = 1;
	if (read(faults, &fault, sizeof(fault)) != sizeof(fault))
		return;
	sibling_waits = 0;
	nap();
	ioctl(faults, UFFDIO_ZEROPAGE, &zero);
}

static void take_page(void)
{
	tell_sibling(bring_page);
}

static int is_taken(void)
{
	return sibling_waits;
}

static void touch_page(void)
{
	*(volatile char *)page = 1;
}

static int open_page(void)
{
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };

	page_size = sysconf(_SC_PAGESIZE);
	page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -1;
	/* A page of locked memory is never missing, so unlock it. */
	munlock(page, page_size);
	area.range.start = (uintptr_t)page;
	area.range.len = page_size;
	/* This flag makes the call unprivileged: faults in kernel mode are not handled. */
	faults = syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api))
		return -1;
	return ioctl(faults, UFFDIO_REGISTER, &area);
}

/* A sampler that loads its samples: the kernel holds mmap_lock while it fills the pages. */
#define SAMPLE	(4UL << 20)
#define MOST	(512UL << 20)

static char *samples;
static size_t samples_size;	/* filling them takes twice lateness_ns */

static void load_samples(void)
{
	madvise(samples, samples_size, MADV_POPULATE_WRITE);
	madvise(samples, samples_size, MADV_DONTNEED);
}

static void *allocated = MAP_FAILED;

static void begin_loading(void)
{
	if (allocated != MAP_FAILED)
		munmap(allocated, page_size);
	tell_sibling(load_samples);
}

static int is_loading(void)
{
	unsigned char first;

	return !mincore(samples, page_size, &first) && first & 1;
}

/* malloc() of a large size calls mmap(), which needs mmap_lock for writing. */
static void allocate(void)
{
	allocated = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int open_samples(void)
{
	uint64_t begin, took, shortest = -1;
	int i;

	samples = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (samples == MAP_FAILED)
		return -1;
	for (i = 0; i < 3; i++) {
		begin = now_ns();
		if (madvise(samples, SAMPLE, MADV_POPULATE_WRITE))
			return -1;
		took = now_ns() - begin;
		if (took < shortest)
			shortest = took;
		madvise(samples, SAMPLE, MADV_DONTNEED);
	}
	samples_size = SAMPLE;
	while (samples_size < MOST && samples_size * shortest < 2 * SAMPLE * lateness_ns)
		samples_size += SAMPLE;
	return 0;
}

static int ends[2];	/* the ends of a pipe */

static void write_late(void)
{
	nap();
	while (write(ends[1], "", 1) != 1)
		;
}

static void read_pipe(void)
{
	char byte;

	tell_sibling(write_late);
	while (read(ends[0], &byte, 1) != 1)
		;
}

/* Waits for a semaphore that is never posted, which is a futex to the kernel. */
static void wait_in_vain(void)
{
	uint64_t end_ns = now_ns() + lateness_ns;
	struct timespec end = { end_ns / SEC, end_ns % SEC };
	sem_t never;

	sem_init(&never, 0, 0);
	sem_clockwait(&never, CLOCK_MONOTONIC, &end);
}

const struct lateness latenesses[NR_LATENESSES] = {
	{ "computing", TASKRT_CAUSE_COMPUTING, compute, NULL, NULL },
	{ "competitor", TASKRT_CAUSE_QUEUED, be_preempted, NULL, NULL },
	{ "late-page", TASKRT_CAUSE_FAULT, touch_page, take_page, is_taken },
	{ "mmap-lock", TASKRT_CAUSE_LOCK, allocate, begin_loading, is_loading },
	{ "nanosleep", TASKRT_CAUSE_TIMER, nap, NULL, NULL },
	{ "pipe", TASKRT_CAUSE_FILE, read_pipe, NULL, NULL },
	{ "futex", TASKRT_CAUSE_FUTEX, wait_in_vain, NULL, NULL },
	{ "late-server", TASKRT_CAUSE_FUTEX, come_late, hold_server, NULL },
};

static int start_competitor(sem_t *goes, int cpu, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	sem_init(goes, 0, 0);
	return pthread_create(&thread, &attr, compete, goes);
}

int lateness_init(uint64_t ns, int cpu, int priority)
{
	pthread_t sibling;

	lateness_ns = ns;
	sem_init(&ordered, 0, 0);
	errno = start_competitor(&competitor_goes, cpu, priority);
	if (!errno)
		errno = start_competitor(&other_goes, SERVER_CPU, priority);
	if (!errno)
		errno = pthread_create(&sibling, NULL, obey, NULL);
	if (errno || pipe(ends))
		return -1;
	return open_samples() || open_page();
}
