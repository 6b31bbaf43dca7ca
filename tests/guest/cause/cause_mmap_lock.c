// SPDX-License-Identifier: GPL-2.0-only
/*
 * A real lock.  One thread faults slowly and so holds the process's mmap_lock for reading;
 * a second one maps memory and waits to write; a third one asks which pages are resident
 * and waits behind the second one to read.  Another process, which does not need the lock,
 * starts each thread when the one before it waits, and releases all of them at the end.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "release.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(100 * MS)
#define MOST	(D / 2)

/* What both processes see. */
struct cast {
	volatile pid_t faulter, writer, reader;
};

/* Pipes, because the page of a shared semaphore would be looked up under the lock. */
struct cue {
	int hears, gives;
};

static struct cast *cast;
static volatile char *slow_page;
static struct thread faulter, reader;
static struct window writing, reading;
static struct cue ready, go, held, queued;
static char *somewhere;

static void give(struct cue *cue)
{
	if (write(cue->gives, "c", 1) != 1)
		tap_bail("a pipe is closed");
}

static void await(struct cue *cue)
{
	char byte;

	if (read(cue->hears, &byte, 1) != 1)
		tap_bail("a pipe is closed");
}

static void open_cue(struct cue *cue)
{
	int fds[2];

	if (pipe(fds))
		tap_bail("pipe");
	*cue = (struct cue){ .hears = fds[0], .gives = fds[1] };
}

static void fault(void *unused)
{
	(void)unused;
	cast->faulter = gettid();
	await(&go);
	slow_page[0] = 1;
}

static void write_side(void *unused)
{
	void *area;

	(void)unused;
	cast->writer = gettid();
	give(&go);
	await(&held);
	area = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(area, 4096);
}

static void read_side(void *unused)
{
	unsigned char there;

	(void)unused;
	/*
	 * Touches the whole stack, and calls each function once for the linker's sake: a
	 * later fault for either would wait behind the writer.
	 */
	cast->reader = gettid();
	mincore(somewhere, 4096, &there);
	give(&ready);
	await(&queued);
	mincore(somewhere, 4096, &there);
}

static void observe_reader(void *unused)
{
	(void)unused;
	window_observe(&reading, read_side, NULL);
}

/* Each thread starts when the one before it has waited for D; so does the release. */
static void direct(int device, int reader_waits)
{
	struct taskrt *handle = window_open();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!cast->writer || !cast->faulter || !cast->reader)
		clock_sleep(MS);
	state_await_for(handle, cast->faulter, TASKRT_STATE_BLOCKED_FAULT, D);
	give(&held);
	state_await_for(handle, cast->writer, TASKRT_STATE_BLOCKED_LOCK, D);
	give(&queued);
	if (reader_waits)
		state_await_for(handle, cast->reader, TASKRT_STATE_BLOCKED_LOCK, D);
	release(device);
	_exit(0);
}

static pid_t start_director(int device, int reader_waits)
{
	pid_t pid;

	cast = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	open_cue(&ready);
	open_cue(&go);
	open_cue(&held);
	open_cue(&queued);
	pid = fork();
	if (!pid)
		direct(device, reader_waits);
	return pid;
}

static void check(const struct window *window, unsigned int kind, const char *name)
{
	const struct taskrt_reading *delta = &window->delta;

	if (!tap_at_least(delta->times.locks_ns[kind], MOST, "%s: time as %s", name,
			  taskrt_lock_name(kind)))
		window_print(delta);
	tap_at_least(delta->counts.locks[kind], 1, "%s: counted", name);
	window_check_state(window, TASKRT_STATE_BLOCKED_LOCK, MOST, name);
}

int main(void)
{
	int device = device_open();
	int reader_waits = !thread_kernel_is_rt() || !window_has_hook("rwsem_read_slowpath");
	pid_t director = start_director(device, reader_waits);

	somewhere = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	slow_page = device_map(device, 1, TASKRT_TEST_UNINTERRUPTIBLE, 0, TASKRT_TEST_FOR_EVER);
	thread_start(&faulter, fault, NULL);
	thread_start(&reader, observe_reader, NULL);
	/* Creating a thread changes the memory map, and would have to wait, too. */
	await(&ready);
	window_observe(&writing, write_side, NULL);
	thread_join(&reader);
	thread_join(&faulter);
	waitpid(director, NULL, 0);
	check(&writing, TASKRT_LOCK_RWSEM_WRITE, "mmap");
	if (reader_waits)
		check(&reading, TASKRT_LOCK_RWSEM_READ, "mincore behind mmap");
	else
		tap_skip("mincore behind mmap",
			 "the PREEMPT_RT of 5.10 lets readers pass a writer that waits");
	return tap_done();
}
