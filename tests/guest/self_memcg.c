// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose memory a cgroup accounts for maps its counters and is armed like any
 * other: the kernel treats charged pages differently.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "modinfo.h"
#include "page.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"

#define V2		"/sys/fs/cgroup"
#define V1		"/tmp/taskrt-memory"
#define CANNOT_MOVE	250

static const char *group;	/* the folder of a cgroup that counts memory */

static int put(const char *folder, const char *file, const char *text)
{
	char path[128];
	int fd, ok;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return ok;
}

static int has(const char *folder, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return !access(path, F_OK);
}

/* The controller is in one of the two hierarchies, in which is up to who booted. */
static const char *make_v2(void)
{
	if (!put(V2, "cgroup.subtree_control", "+memory"))
		return NULL;
	if (mkdir(V2 "/taskrt-memory", 0755) && errno != EEXIST)
		return NULL;
	return has(V2 "/taskrt-memory", "memory.current") ? V2 "/taskrt-memory" : NULL;
}

static const char *make_v1(void)
{
	mkdir(V1, 0755);
	if (mount("cgroup", V1, "cgroup", 0, "memory"))
		return NULL;
	if (mkdir(V1 "/group", 0755) && errno != EEXIST)
		return NULL;
	return has(V1 "/group", "memory.usage_in_bytes") ? V1 "/group" : NULL;
}

static void enter(void)
{
	if (!put(group, "cgroup.procs", "0"))
		_exit(CANNOT_MOVE);
}

static int map_and_read(void *unused)
{
	const struct taskrt_page *page;
	struct page_copy copy;
	int fd = page_device();

	(void)unused;
	enter();
	page = page_try_all(fd);
	if (!page)
		return errno;
	page_read(page, &copy);
	if (page->tid != (uint32_t)gettid() || !page_adds_up(page, &copy))
		return 200;
	return munmap((void *)page, page_length(page)) ? errno : 0;
}

static int read_by_library(void *unused)
{
	struct taskrt_snapshot now;
	struct taskrt_reading reading;
	struct taskrt_self *self;
	int err;

	(void)unused;
	enter();
	err = taskrt_self_open(&self, TASKRT_SELF_MAPPED);
	if (err)
		return err;
	if (self_get(self, &reading) || self_read(self, &now) ||
	    !self_adds_up(&now, reading.stats.tracked_since_ns))
		return 200;
	taskrt_self_close(self);
	return 0;
}

static int arm_and_alert(void *unused)
{
	const struct recorder_arm arm = { .depth = TASKRT_DEPTH_MAX };
	struct raw raw;
	int err;

	(void)unused;
	enter();
	err = raw_open(&raw) ?: recorder_arm(&raw, &arm, NULL);
	if (err)
		return err;
	clock_sleep(MS);
	return recorder_tell("counted") ?: recorder_disarm(&raw, 0);
}

/* Enough that what one mapping leaves behind is seen when the cgroup goes. */
static int map_often(void *unused)
{
	int fd = page_device(), i;

	(void)unused;
	enter();
	for (i = 0; i < 200; i++) {
		const struct taskrt_page *page = page_try_all(fd);

		if (!page)
			return errno;
		page_unmap(page);
	}
	return 0;
}

int main(void)
{
	uint64_t end;

	group = make_v2() ?: make_v1();
	if (!group) {
		tap_skip("a cgroup that counts memory", "this kernel has no memory controller");
		return tap_done();
	}
	tap_diag("in %s", group);
	tap_errno(ask_in_child(map_and_read, NULL), 0, "mapped, read and unmapped");
	tap_errno(ask_in_child(read_by_library, NULL), 0, "read by the library");
	tap_errno(ask_in_child(arm_and_alert, NULL), 0, "armed, alerting, disarmed");
	tap_errno(ask_in_child(map_often, NULL), 0, "many times");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left mapped");
	tap_equal(modinfo_await(TASKRT_INFO_A_ARMED, 0), 0, "nor armed");
	end = clock_now() + CLOCK_PATIENCE;
	while (rmdir(group) && errno == EBUSY && clock_now() < end)
		clock_sleep(10 * MS);
	tap_ok(access(group, F_OK), "the cgroup can go");
	if (!strncmp(group, V1, strlen(V1)))
		umount2(V1, MNT_DETACH);
	return tap_done();
}
