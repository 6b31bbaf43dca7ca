// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many threads of a user may have mapped their counters, and of all users.  All
 * subordinate ids of a user are one user, each container of root's is one, and no number of
 * users keeps out who has CAP_SYS_RESOURCE.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ask.h"
#include "modinfo.h"
#include "module.h"
#include "page.h"
#include "tap.h"
#include "thread.h"
#include "token.h"
#include "userns.h"

#define MOST	4	/* mappings_per_user */
#define ALL	16	/* mappings_max */
#define IDS	8

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

/* Returns how many of so many threads map; the others are refused for that reason. */
static unsigned int map_times(unsigned int times, int refusal)
{
	unsigned int mapped = 0;

	while (times--)
		if (!map_one())
			mapped++;
		else if (err != refusal)
			_exit(TOKEN_LOST);
	return mapped;
}

static unsigned int map_as(uid_t uid, unsigned int times, int refusal)
{
	unsigned int mapped;

	userns_enter_user(uid);
	mapped = map_times(times, refusal);
	userns_leave_user();
	return mapped;
}

/* Some as root of the namespace, and some as each of its other ids. */
static int map_as_each(void *unused)
{
	unsigned int mapped;
	uid_t uid;

	(void)unused;
	device = page_device();
	mapped = map_times(2, EUSERS);
	for (uid = 1; uid < IDS; uid++)
		mapped += map_as(uid, 2, EUSERS);
	return mapped;
}

static void subordinates(void)
{
	static const char map[] = "0 1000 1\n1 100000 8\n";

	tap_equal(userns_wait(userns_start(ASK_USER, map, map_as_each, NULL)), MOST,
		  "a user with %u subordinate ids has the mappings of one", IDS - 1);
}

static void containers(void)
{
	int taken[2];

	userns_beside(map_as_each, taken);
	tap_equal(taken[1], MOST,
		  "a container has the mappings of one user, beside another container");
	tap_equal(taken[0], MOST, "which has them, too");
}

static int try_as(void *who)
{
	ask_become(who);
	return map_one();
}

/* Five users try for more than all there may be; then those who might have what is left. */
static int users_first(void *in_all)
{
	static struct ask_who root = { 0, 0, 0, ASK_CAP_SYS_ADMIN };
	static struct ask_who user = { ASK_OTHER, ASK_OTHER, ASK_OTHER, ASK_CAP_SYS_RESOURCE };
	uid_t uid;

	device = page_device();
	for (uid = 2001; uid <= 2005; uid++)
		*(unsigned int *)in_all += map_as(uid, MOST, ENOSPC);
	if (ask_in_child(try_as, &root) != ENOSPC)
		return 1;
	if (ask_in_child(try_as, &user))
		return 2;
	return map_times(MOST, ENOSPC) == ALL / 4 ? 0 : 3;
}

static void reserve(void)
{
	unsigned int *in_all = mmap(NULL, sizeof(*in_all), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (in_all == MAP_FAILED)
		tap_bail("no memory");
	tap_equal(ask_in_child(users_first, in_all), 0,
		  "what is left is not for root without the capability (1), but for a user"
		  " with it (2), and for root (3)");
	tap_equal(*in_all, ALL - ALL / 4, "all users together have three quarters");
}

static void none_left(void)
{
	tap_equal(modinfo_await(TASKRT_INFO_A_MAPPED, 0), 0, "nothing is left");
}

int main(void)
{
	module_must_set("mappings_per_user", "4");
	tap_equal(ask_in_child(map_many, NULL), 0,
		  "so many (10, 11) and EUSERS (12), in another process, too (13); a second area"
		  " of the same counters does not count (14)");
	none_left();
	tap_equal(ask_in_child(another, NULL), 0, "another user is not concerned");
	none_left();
	tap_equal(ask_in_child(again, NULL), 0,
		  "root has no more (2), and what is unmapped gives its place back (3)");
	none_left();
	subordinates();
	none_left();
	containers();
	none_left();
	module_must_set("mappings_max", "16");
	reserve();
	none_left();
	module_must_set("mappings_max", "16384");
	module_must_set("mappings_per_user", "2048");
	return tap_done();
}
