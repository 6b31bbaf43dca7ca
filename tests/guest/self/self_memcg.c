// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose memory a cgroup accounts for maps its counters and is armed like any
 * other: the kernel treats charged pages differently.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "memcg.h"
#include "modinfo.h"
#include "page.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"

static int map_and_read(void *unused)
{
	const struct taskrt_page *page;
	struct page_copy copy;
	int fd = page_device();

	(void)unused;
	memcg_enter();
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
	memcg_enter();
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
	memcg_enter();
	err = raw_open(&raw) ?: recorder_arm(&raw, &arm, NULL);
	if (err)
		return err;
	clock_sleep(MS);
	return recorder_tell("counted") ?: recorder_disarm(&raw, 0);
}

/* Often enough that a leak of each mapping shows when the cgroup is removed. */
static int map_often(void *unused)
{
	int fd = page_device(), i;

	(void)unused;
	memcg_enter();
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
	const char *group = memcg_make();

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
	tap_ok(memcg_remove(), "the cgroup can be removed");
	return tap_done();
}
