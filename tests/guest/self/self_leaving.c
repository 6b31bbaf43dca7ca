// SPDX-License-Identifier: GPL-2.0-only
/*
 * While a reader under RCU keeps them from being freed, a user may unmap a bounded number of
 * counters; then no more are mapped, until those are freed.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "device.h"
#include "module.h"
#include "page.h"
#include "tap.h"
#include "thread.h"

#define LEAVING	64	/* as docs/user/limits.md says */
#define OTHER	250	/* another error than EAGAIN came */
#define USERS	3000	/* their uids */
#define TRIES	8

static int device;

static int map_and_unmap(void *who)
{
	const size_t length = sysconf(_SC_PAGESIZE);
	void *page;

	if (who)
		ask_become(who);
	/* Once: page_try() would try again. */
	page = mmap(NULL, length, PROT_READ, MAP_SHARED, device, 0);
	if (page == MAP_FAILED)
		return errno;
	munmap(page, length);
	return 0;
}

/* How often, until EAGAIN. */
static int map_many(void *who)
{
	int times = 0, err;

	ask_become(who);
	while (!(err = map_and_unmap(NULL)) && times < 200)
		times++;
	return err == EAGAIN ? times : OTHER;
}

static void keep_and_map(int test)
{
	struct ask_who user;
	static struct ask_who other = { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 };
	int times, again, others, err, tries = 0;

	/*
	 * On a machine that stops for so long that the reader has ended, all is done again, by
	 * a user who has unmapped nothing.
	 */
	do {
		user = (struct ask_who){ USERS + tries, USERS + tries, USERS + tries, 0 };
		device_read(test);
		times = ask_in_child(map_many, &user);
		again = ask_in_child(map_and_unmap, &user);
		others = ask_in_child(map_and_unmap, &other);
		err = device_read_end(test);
	} while (err && ++tries < TRIES);
	tap_errno(err, 0, "the reader kept them from being freed");
	tap_equal(times, LEAVING,
		  "a user may unmap counters %d times that are not freed, and then gets EAGAIN",
		  LEAVING);
	tap_equal(again, EAGAIN, "the user is still refused");
	tap_equal(others, 0, "another user is not");
	clock_await(!ask_in_child(map_and_unmap, &user), "the user is refused for ever");
	tap_equal(ask_in_child(map_and_unmap, &user), 0, "when they are freed, the user may map");
}

int main(void)
{
	char before[32];
	int test;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_skip("counters that were unmapped are bounded", "needs two processors");
		return tap_done();
	}
	thread_pin(0);
	test = device_open();
	device = page_device();
	if (module_get("mappings_per_user", before, sizeof(before)) ||
	    module_set("mappings_per_user", "4"))
		tap_bail("no parameter mappings_per_user");
	keep_and_map(test);
	module_set("mappings_per_user", before);
	close(test);
	return tap_done();
}
