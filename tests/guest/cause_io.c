// SPDX-License-Identifier: GPL-2.0-only
/*
 * I/O on a real disk: reads that bypass the page cache, and writes that go through to the
 * disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "window.h"

#define BLOCK	(64 * 1024)
#define BLOCKS	32

static char path[256];
static char *block;

static int open_file(int flags)
{
	int fd = open(path, flags | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	return fd;
}

static void write_through(void *unused)
{
	int fd = open_file(O_WRONLY | O_SYNC), i;

	(void)unused;
	for (i = 0; i < BLOCKS; i++)
		if (write(fd, block, BLOCK) != BLOCK)
			tap_bail("writing %s: %s", path, strerror(errno));
	close(fd);
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

static void check(window_fn fn, const char *name)
{
	struct window window;

	/*
	 * A disk that is a file of the host may answer before anybody can wait, and a
	 * write through the journal may have waited for the journal alone.
	 */
	do {
		window_observe(&window, fn, NULL);
	} while (window.delta.longests.states[TASKRT_STATE_BLOCKED_IO].ns < US &&
		 patience_lasts());
	tap_at_least(VALUE(window.delta, VOLUNTARY_SWITCHES), 1, "%s: waited", name);
	/* The fastest disk takes more than a microsecond. */
	window_check_state(&window, TASKRT_STATE_BLOCKED_IO, US, name);
}

int main(void)
{
	const char *folder = getenv("TASKRT_DISK");

	snprintf(path, sizeof(path), "%s/taskrt-io", folder ? folder : "/disk");
	if (posix_memalign((void **)&block, 4096, BLOCK))
		tap_bail("no memory");
	memset(block, 1, BLOCK);
	check(write_through, "O_SYNC write");
	check(read_direct, "O_DIRECT read");
	unlink(path);
	free(block);
	return tap_done();
}
