// SPDX-License-Identifier: GPL-2.0-only
/*
 * For whom a listener counts: all subordinate ids of a user are one user, each container of
 * root's is one, and no number of users keeps an administrator out.
 */
#include <errno.h>
#include <unistd.h>

#include "ask.h"
#include "listener.h"
#include "module.h"
#include "tap.h"
#include "token.h"
#include "userns.h"

#define OWN	4	/* listeners_per_user */
#define ALL	16	/* listeners_max */
#define IDS	8

static const struct listener_filter mine = { .own = 1 };
static struct listener listeners[2 * ALL];
static unsigned int opened;

/* Returns how many of so many listeners are accepted.  They stay open. */
static unsigned int listen_times(unsigned int times)
{
	unsigned int accepted = 0;

	while (times--) {
		if (listener_try_open(&listeners[opened], NULL, NULL))
			_exit(TOKEN_LOST);
		accepted += !listener_register(&listeners[opened++], &mine, NULL);
	}
	return accepted;
}

static unsigned int listen_as(uid_t uid, unsigned int times)
{
	unsigned int accepted;

	userns_enter_user(uid);
	accepted = listen_times(times);
	userns_leave_user();
	return accepted;
}

/* Some as root of the namespace, and some as each of its other ids. */
static int listen_as_each(void *unused)
{
	unsigned int accepted = listen_times(2);
	uid_t uid;

	(void)unused;
	for (uid = 1; uid < IDS; uid++)
		accepted += listen_as(uid, 2);
	return accepted;
}

static void subordinates(void)
{
	static const char map[] = "0 1000 1\n1 100000 8\n";

	tap_equal(userns_wait(userns_start(ASK_USER, map, listen_as_each, NULL)), OWN,
		  "a user with %u subordinate ids has the listeners of one", IDS - 1);
	tap_equal(userns_wait(userns_start(ASK_USER, map, listen_as_each, NULL)), OWN,
		  "and all over again");
}

static void containers(void)
{
	int taken[2];

	userns_beside(listen_as_each, taken);
	tap_equal(taken[1], OWN,
		  "a container has the listeners of one user, beside another container");
	tap_equal(taken[0], OWN, "which has them, too");
}

static int accepted_in_all[2];

/* Root asks on a socket that a user has opened.  The error. */
static int listen_on_users(void)
{
	struct listener *listener = &listeners[opened++];

	userns_enter_user(2006);
	if (listener_try_open(listener, NULL, NULL))
		_exit(TOKEN_LOST);
	userns_leave_user();
	return listener_register(listener, &mine, NULL);
}

struct accepted {
	unsigned int users, root;
	int on_users;	/* an error */
};

/* Five users try for more than all there may be; then root asks. */
static int users_first(void *unused)
{
	struct accepted accepted = { 0 };
	uid_t uid;

	(void)unused;
	for (uid = 2001; uid <= 2005; uid++)
		accepted.users += listen_as(uid, OWN);
	accepted.on_users = listen_on_users();
	accepted.root = listen_times(OWN);
	if (write(accepted_in_all[1], &accepted, sizeof(accepted)) != sizeof(accepted))
		return TOKEN_LOST;
	return 0;
}

static void reserve(void)
{
	struct accepted accepted;

	if (pipe(accepted_in_all) || ask_in_child(users_first, NULL) ||
	    read(accepted_in_all[0], &accepted, sizeof(accepted)) != sizeof(accepted))
		tap_bail("no listeners");
	tap_equal(accepted.users, ALL - ALL / 4, "all users together have three quarters");
	tap_errno(accepted.on_users, EUSERS, "what is left is not for the socket of another user");
	tap_equal(accepted.root, ALL / 4, "an administrator has it");
}

int main(void)
{
	module_must_set("listeners_per_user", "4");
	subordinates();
	containers();
	module_must_set("listeners_max", "16");
	reserve();
	module_must_set("listeners_per_user", "16");
	module_must_set("listeners_max", "256");
	return tap_done();
}
