// SPDX-License-Identifier: GPL-2.0-only
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cause.h"
#include "clock.h"
#include "device.h"
#include "report.h"
#include "slow.h"
#include "thread.h"

static sem_t competitor_goes;
static uint64_t competitor_ns;
static struct thread neighbour;
static struct slow *slow;
static volatile char *neighbours_page;

static void compute(uint64_t ns)
{
	clock_burn(ns);
}

/* Each cause is prepared twice: for the rehearsal, and for the measurement. */
static void start_neighbour(void (*fn)(void *), const char *letters)
{
	if (neighbour.tid)
		thread_join(&neighbour);
	thread_start(&neighbour, fn, NULL);
	thread_await(neighbour.tid, letters);
}

static void compete(void *unused)
{
	(void)unused;
	thread_pin(0);
	thread_fifo(50);
	sem_wait(&competitor_goes);
	clock_burn(competitor_ns);
}

static void prepare_competitor(uint64_t ns)
{
	/* The previous one has ended: it had this CPU until then. */
	competitor_ns = ns;
	sem_init(&competitor_goes, 0, 0);
	start_neighbour(compete, "S");
}

static void be_preempted(uint64_t unused)
{
	(void)unused;
	sem_post(&competitor_goes);
}

static void prepare_page(uint64_t ns)
{
	if (slow)
		slow_free(slow);
	slow = slow_new(1, ns);
}

static void touch_page(uint64_t unused)
{
	(void)unused;
	*slow_page(slow, 0) = 1;
}

/* A page that comes late keeps the process's mmap_lock held until it is there. */
static void fault_slowly(void *unused)
{
	(void)unused;
	neighbours_page[0] = 1;
}

static void prepare_lock(uint64_t ns)
{
	/* It starts now, and the work computes a while before it wants the lock. */
	neighbours_page = device_map(device_open(), 1, TASKRT_TEST_UNINTERRUPTIBLE, 0,
				     ns + 5 * MS);
	start_neighbour(fault_slowly, "D");
}

static void map_memory(uint64_t unused)
{
	void *area = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)unused;
	munmap(area, 4096);
}

static void sleep_too_long(uint64_t ns)
{
	clock_sleep(ns);
}

const struct cause causes[] = {
	{ "computing", "it has more to compute than fits",
	  REPORT_COMPUTING, NULL, compute },
	{ "queued", "a thread of higher priority takes its CPU",
	  REPORT_QUEUED, prepare_competitor, be_preempted },
	{ "fault", "it touches a page that comes late (userfaultfd)",
	  REPORT_FAULT, prepare_page, touch_page },
	{ "lock", "it maps memory while another thread's fault holds mmap_lock",
	  REPORT_LOCK, prepare_lock, map_memory },
	{ "asleep", "it sleeps too long (clock_nanosleep)",
	  REPORT_ASLEEP, NULL, sleep_too_long },
	{ 0 },
};

const struct cause *cause_find(const char *name)
{
	const struct cause *cause;

	for (cause = causes; cause->name; cause++)
		if (!strcmp(cause->name, name))
			return cause;
	return NULL;
}
