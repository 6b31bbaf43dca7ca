// SPDX-License-Identifier: GPL-2.0-only
/* The module counts faults as the kernel does, minor and major, and measures their time. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "window.h"

#define PAGES	256

struct counted {
	volatile char *area;
	struct rusage before, after;
};

static long page_size;

static void touch_all(struct counted *counted)
{
	char sum = 0;
	int i;

	getrusage(RUSAGE_THREAD, &counted->before);
	for (i = 0; i < PAGES; i++)
		sum += counted->area[i * page_size];
	getrusage(RUSAGE_THREAD, &counted->after);
	counted->area[0] = sum;
}

static void drop_and_touch(void *arg)
{
	struct counted *counted = arg;

	madvise((void *)counted->area, PAGES * page_size, MADV_DONTNEED);
	touch_all(counted);
}

static void minor(void)
{
	struct counted counted;
	struct window window;
	const struct taskrt_reading *delta = &window.delta;

	counted.area = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)counted.area, PAGES * page_size, MADV_NOHUGEPAGE);
	window_observe(&window, drop_and_touch, &counted);
	munmap((void *)counted.area, PAGES * page_size);
	tap_at_least(VALUE(*delta, MINOR_FAULTS), PAGES, "minor: each first touch counts");
	/* The queries before and after may cause a few faults of their own. */
	tap_at_most(VALUE(*delta, MINOR_FAULTS), PAGES + PAGES / 4, "minor: and hardly more");
	tap_at_least(VALUE(*delta, MINOR_FAULTS),
		     counted.after.ru_minflt - counted.before.ru_minflt,
		     "minor: no fewer than getrusage says");
	tap_at_least(VALUE(*delta, MINOR_FAULT_NS), PAGES, "minor: they took time");
	tap_equal(VALUE(*delta, MAJOR_FAULTS), 0, "minor: none was major");
	tap_at_least(delta->stats.page_fault_time_ns,
		     VALUE(*delta, MINOR_FAULT_NS) + VALUE(*delta, MAJOR_FAULT_NS),
		     "minor: a part of page_fault_time");
}

/* A file on a real file system, none of whose pages is in the page cache. */
static int cold_file(void)
{
	const char *folder = getenv("TASKRT_DISK");
	char path[256], *bytes = calloc(PAGES, page_size);
	int fd, drop;

	snprintf(path, sizeof(path), "%s/taskrt-major", folder ? folder : "/disk");
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		tap_bail("%s: %s", path, strerror(errno));
	if (write(fd, bytes, PAGES * page_size) != PAGES * page_size || fsync(fd))
		tap_bail("writing %s: %s", path, strerror(errno));
	free(bytes);
	unlink(path);
	drop = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) || write(drop, "3", 1) != 1)
		tap_bail("dropping the page cache: %s", strerror(errno));
	close(drop);
	return fd;
}

static void touch_cold(void *arg)
{
	touch_all(arg);
}

static void major(void)
{
	struct counted counted;
	struct window window;
	const struct taskrt_reading *delta = &window.delta;
	int fd = cold_file();

	counted.area = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	/* Read-ahead is off, so that every page is a read of its own. */
	madvise((void *)counted.area, PAGES * page_size, MADV_RANDOM);
	window_observe(&window, touch_cold, &counted);
	munmap((void *)counted.area, PAGES * page_size);
	close(fd);
	tap_at_least(VALUE(*delta, MAJOR_FAULTS), 1, "major: some faults were");
	tap_equal(VALUE(*delta, MAJOR_FAULTS), counted.after.ru_majflt - counted.before.ru_majflt,
		  "major: as many as getrusage says");
	tap_at_least(VALUE(*delta, MAJOR_FAULT_NS), 1, "major: they took time");
	tap_at_least(delta->times.states_ns[TASKRT_STATE_BLOCKED_FAULT], 1, "major: blocked_fault");
	tap_at_least(delta->stats.page_fault_time_ns, VALUE(*delta, MAJOR_FAULT_NS),
		     "major: a part of page_fault_time");
}

int main(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	minor();
	major();
	return tap_done();
}
