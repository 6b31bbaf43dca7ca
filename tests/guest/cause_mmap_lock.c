// SPDX-License-Identifier: GPL-2.0-only
/*
 * A real lock.  One thread faults slowly and so holds the process's mmap_lock
 * for reading; a second maps memory and waits for it to write; a third asks
 * which pages are there and waits behind the second to read.
 */
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(500 * MS)
#define MOST	(D / 10)

static volatile char *slow_page;
static struct thread faulter, reader;
static struct window writing, reading;
static sem_t ready, go, queued;
static char *somewhere;
static volatile pid_t writer_tid;

static void fault(void *unused)
{
	(void)unused;
	sem_wait(&go);
	slow_page[0] = 1;
}

static void write_side(void *unused)
{
	void *area;

	(void)unused;
	writer_tid = gettid();
	sem_post(&go);
	thread_await(faulter.tid, "D");
	sem_post(&queued);
	area = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(area, 4096);
}

static void read_side(void *unused)
{
	unsigned char there;

	(void)unused;
	/*
	 * So that it has all of its stack, the linker's share when a function is first
	 * called included: to fault for it later is to wait behind the writer.
	 */
	thread_letter(gettid());
	clock_sleep(US);
	mincore(somewhere, 4096, &there);
	sem_post(&ready);
	sem_wait(&queued);
	thread_await(writer_tid, "D");
	mincore(somewhere, 4096, &there);
}

static void observe_reader(void *unused)
{
	(void)unused;
	window_observe(&reading, read_side, NULL);
}

static void check(const struct window *window, unsigned int kind, const char *name)
{
	const struct taskrt_stats *delta = &window->delta;

	if (!tap_at_least(delta->lock_time_ns[kind], MOST, "%s: time as %s", name,
			  taskrt_lock_name(kind)))
		window_print(delta);
	tap_at_least(delta->lock_count[kind], 1, "%s: counted", name);
	window_check_state(window, TASKRT_STATE_BLOCKED_LOCK, MOST, name);
}

int main(void)
{
	int device = device_open();

	somewhere = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	slow_page = device_map(device, 1, TASKRT_TEST_UNINTERRUPTIBLE, 0, D);
	sem_init(&ready, 0, 0);
	sem_init(&go, 0, 0);
	sem_init(&queued, 0, 0);
	thread_start(&faulter, fault, NULL);
	thread_start(&reader, observe_reader, NULL);
	/* To make a thread is to change the memory map, and would have to wait as well. */
	sem_wait(&ready);
	window_observe(&writing, write_side, NULL);
	thread_join(&reader);
	thread_join(&faulter);
	check(&writing, TASKRT_LOCK_RWSEM_WRITE, "mmap");
	if (thread_kernel_is_rt() && window_has_hook("rwsem_read_slowpath"))
		tap_skip("mincore behind mmap",
			 "the PREEMPT_RT of 5.10 lets readers pass a writer that waits");
	else
		check(&reading, TASKRT_LOCK_RWSEM_READ, "mincore behind mmap");
	return tap_done();
}
