// SPDX-License-Identifier: GPL-2.0-only
/*
 * I/O on a real disk: reads that bypass the page cache, writes that go through to the disk,
 * and commits, which wait for its journal.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define BLOCK	(64 * 1024)
#define BLOCKS	32
#define COMMITS	40

static char path[256];
static char *block;

static int open_file(int flags)
{
	int fd = open(path, flags | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	return fd;
}

static void write_blocks(int fd)
{
	int i;

	for (i = 0; i < BLOCKS; i++)
		if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
			tap_bail("writing %s: %s", path, strerror(errno));
}

static void write_through(void *fd)
{
	write_blocks(*(int *)fd);
}

/* Another thread gives each something to commit. */
static void commit(void *fd)
{
	int i;

	for (i = 0; i < COMMITS; i++)
		if (fsync(*(int *)fd))
			tap_bail("fsync: %s", strerror(errno));
}

static void read_direct(void *unused)
{
	int fd = open_file(O_RDONLY | O_DIRECT), i;

	(void)unused;
	for (i = 0; i < BLOCKS; i++)
		if (read(fd, block, BLOCK) != BLOCK)
			tap_bail("reading %s: %s", path, strerror(errno));
	close(fd);
}

static void check(window_fn fn, void *arg, const char *name)
{
	struct window window;

	/* A disk that is a file of the host may answer before anybody can wait. */
	do {
		window_observe(&window, fn, arg);
	} while (window.delta.longests.states[TASKRT_STATE_BLOCKED_IO].ns < US &&
		 patience_lasts());
	tap_at_least(VALUE(window.delta, VOLUNTARY_SWITCHES), 1, "%s: waited", name);
	/* The fastest disk takes more than a microsecond. */
	window_check_state(&window, TASKRT_STATE_BLOCKED_IO, US, name);
	/* Where it waits for a commit of the journal, it waits for the disk as well. */
	tap_equal(window.delta.times.states_ns[TASKRT_STATE_BLOCKED_OTHER], 0,
		  "%s: no other uninterruptible wait", name);
}

static _Atomic int over;

static void dirty(void *fd)
{
	char name[300];

	snprintf(name, sizeof(name), "%s-folder", path);
	while (!over) {
		if (mkdir(name, 0700) || rmdir(name))
			tap_bail("%s: %s", name, strerror(errno));
		if (pwrite(*(int *)fd, block, 4096, 0) != 4096)
			tap_bail("writing %s: %s", path, strerror(errno));
		clock_sleep(MS);
	}
}

static void check_commits(void)
{
	int fd = open_file(O_WRONLY);
	struct thread thread;

	thread_start(&thread, dirty, &fd);
	check(commit, &fd, "fsync");
	over = 1;
	thread_join(&thread);
	close(fd);
}

int main(void)
{
	const char *folder = getenv("TASKRT_DISK");
	int fd;

	snprintf(path, sizeof(path), "%s/taskrt-io", folder ? folder : "/disk");
	if (posix_memalign((void **)&block, 4096, BLOCK))
		tap_bail("no memory");
	memset(block, 1, BLOCK);
	fd = open_file(O_WRONLY | O_SYNC);
	write_blocks(fd);
	check(write_through, &fd, "O_SYNC write");
	close(fd);
	check(read_direct, NULL, "O_DIRECT read");
	check_commits();
	unlink(path);
	free(block);
	return tap_done();
}
