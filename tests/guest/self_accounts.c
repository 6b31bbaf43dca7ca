// SPDX-License-Identifier: GPL-2.0-only
/* How many threads of a user may have mapped their counters. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "modinfo.h"
#include "module.h"
#include "page.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

#define MOST	4	/* mappings_per_user */

static int device, err;
static const struct taskrt_page *last;	/* that was mapped */

static void map_in_thread(void *unused)
{
	const struct taskrt_page *page = page_try_all(device);

	(void)unused;
	err = page ? 0 : errno;
	last = page ?: last;
}

/* The pages of a thread that has ended stay mapped. */
static int map_one(void)
{
	struct thread thread;

	thread_start(&thread, map_in_thread, NULL);
	thread_join(&thread);
	return err;
}

static int map_one_elsewhere(void *arg)
{
	if (arg)
		ask_become(arg);
	return map_one();
}

static int map_many(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	unsigned int i;

	(void)unused;
	ask_become(&user);
	device = page_device();
	if (!page_try_all(device))
		return 10;
	for (i = 1; i < MOST; i++)
		if (map_one())
			return 11;
	if (map_one() != EUSERS)
		return 12;
	if (ask_in_child(map_one_elsewhere, NULL) != EUSERS)
		return 13;
	return page_try_all(device) ? 0 : 14;
}

/* The user has all its mappings, and another user maps. */
static int another(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	static struct ask_who other = { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 };
	int go[2], status;
	unsigned int i;
	pid_t pid;

	(void)unused;
	device = page_device();
	if (pipe(go))
		return TOKEN_LOST;
	pid = fork();
	if (!pid) {
		ask_become(&user);
		for (i = 0; i < MOST; i++)
			if (map_one())
				_exit(TOKEN_LOST);
		token_pass(go[1]);
		pause();
	}
	token_await(go[0]);
	status = ask_in_child(map_one_elsewhere, (void *)&user) != EUSERS ? 1 :
		 ask_in_child(map_one_elsewhere, &other) ? 2 : 0;
	ask_end(pid);
	return status;
}

static int again(void *unused)
{
	unsigned int i;

	(void)unused;
	device = page_device();
	for (i = 0; i < MOST; i++)
		if (map_one())
			return 1;
	if (map_one() != EUSERS)
		return 2;
	page_unmap(last);
	return map_one() ? 3 : 0;
}

int main(void)
{
	module_must_set("mappings_per_user", "4");
	tap_equal(ask_in_child(map_many, NULL), 0,
		  "so many (10, 11) and EUSERS (12), in another process, too (13); a second area"
		  " of the same counters does not count (14)");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left");
	tap_equal(ask_in_child(another, NULL), 0, "another user is not concerned");
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left");
	tap_equal(ask_in_child(again, NULL), 0,
		  "root has no more (2), and what is unmapped gives its place back (3)");
	module_must_set("mappings_per_user", "2048");
	return tap_done();
}
