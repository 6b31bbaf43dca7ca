// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter gives nobody more rights than rights.c says, the rights come before what costs
 * something to find, and a user has only so many listeners.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "listener.h"
#include "module.h"
#include "tap.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static const struct ask_who other = { ASK_OTHER, ASK_OTHER, ASK_OTHER, 0 };
static const struct ask_who net_admin = { ASK_USER, ASK_USER, ASK_USER, ASK_CAP_NET_ADMIN };

static const struct listener_filter everybody;
static const struct listener_filter mine = { .own = 1 };
static const struct listener_filter my_process = { .tgid = LISTENER_SELF };
static const struct listener_filter my_own_process = { .tgid = LISTENER_SELF, .own = 1 };
static const struct listener_filter nowhere = { .cgroup = UINT64_MAX };
static const struct listener_filter mine_nowhere = { .cgroup = UINT64_MAX, .own = 1 };

struct attempt {
	const struct ask_who *who;
	const struct listener_filter *filter;
	struct listener *listener;		/* NULL: one of its own */
};

static int attempt(void *arg)
{
	struct attempt *attempt = arg;
	struct raw_answer answer;
	struct listener fresh, *listener = attempt->listener;
	int err;

	ask_become(attempt->who);
	if (!listener) {
		listener = &fresh;
		if (listener_try_open(listener, NULL, NULL))
			return 100;
	}
	err = listener_register(listener, attempt->filter, &answer);
	if (err && !answer.text[0])
		return 101;
	return err;
}

static void may(const struct ask_who *who, const struct listener_filter *filter, int expected,
		const char *name)
{
	struct attempt what = { who, filter, NULL };

	tap_errno(ask_in_child(attempt, &what), expected, "%s", name);
}

static void rights(void)
{
	may(&user, &my_process, EPERM, "a user, to his process, without OWN: no");
	may(&user, &my_own_process, 0, "a user, to his process, with OWN: yes");
	may(&user, &nowhere, EPERM, "a user, to everybody in no cgroup: its rights come first");
	may(&user, &mine_nowhere, ENOENT, "a user, to his own in no cgroup: there is none");
	may(&net_admin, &nowhere, ENOENT, "with CAP_NET_ADMIN, in no cgroup: there is none");
}

/* A user receives what root has chosen for the socket that root passes on, and no more. */
static void borrowed_socket(void)
{
	struct listener listener;
	struct attempt what = { &user, &everybody, &listener };

	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &my_process);
	tap_errno(ask_in_child(attempt, &what), EPERM,
		  "a socket on which root has registered a little: no more for a user");
	listener_close(&listener);
}

static void count_others(const struct listener_record *record, void *arg)
{
	*(unsigned int *)arg += record->reading.stats.uid != ASK_USER;
}

static int end_at_once(void *arg)
{
	ask_become(arg);
	return 0;
}

static void read_all(struct listener *listener)
{
	while (listener_wait(listener, 300))
		;
}

/* The rights are those of the last REGISTER, whatever the one before had. */
static void taken_over(void)
{
	unsigned int others = 0;
	struct listener listener;
	struct attempt what = { &user, &mine, &listener };

	listener_open(&listener, count_others, &others);
	listener_listen(&listener, &everybody);
	ask_in_child(end_at_once, (void *)&other);
	listener_drain(&listener);
	tap_at_least(others, 1, "root receives the tasks of others");
	tap_errno(ask_in_child(attempt, &what), 0, "a user registers his own on root's socket");
	read_all(&listener);
	others = 0;
	ask_in_child(end_at_once, (void *)&other);
	read_all(&listener);
	tap_equal(others, 0, "from then on no task of others comes");
	listener_close(&listener);
}

static unsigned long limit(void)
{
	char value[32];

	if (module_get("listeners_per_user", value, sizeof(value)))
		tap_bail("no parameter listeners_per_user");
	return strtoul(value, NULL, 10);
}

#define MANY	256

static struct listener listeners[MANY];

/* Opens listeners until one is refused.  Returns how many were accepted. */
static unsigned int open_many(int *err)
{
	struct raw_answer answer;
	unsigned int n;

	for (n = 0, *err = 0; n < MANY; n++) {
		if (listener_try_open(&listeners[n], NULL, NULL))
			_exit(200);
		*err = listener_register(&listeners[n], &mine, &answer);
		if (*err)
			break;
	}
	if (*err && !answer.text[0])
		_exit(200);
	return n;
}

static int hold_all(void *arg)
{
	unsigned long most = *(unsigned long *)arg;
	struct attempt what = { &other, &mine, NULL };
	unsigned int n;
	int err;

	/* The process keeps root's saved id, so that it can ask as another user later. */
	if (setresgid(ASK_USER, ASK_USER, 0) || setresuid(ASK_USER, ASK_USER, 0))
		return 200;
	n = open_many(&err);
	if (n != most)
		return 10;
	if (err != -EUSERS)
		return 11;
	if (listener_register(&listeners[n], &mine_nowhere, NULL) != -EUSERS)
		return 15;
	if (listener_register(&listeners[0], &my_own_process, NULL))
		return 12;
	listener_close(&listeners[3]);
	if (listener_register(&listeners[n], &mine, NULL))
		return 13;
	if (setresuid(0, 0, 0) || setresgid(0, 0, 0))
		return 200;
	return ask_in_child(attempt, &what) ? 14 : 0;
}

static void bounded(void)
{
	unsigned long most = limit();

	tap_at_least(most, 1, "a user may have %lu listeners", most);
	if (most > MANY - 2)
		tap_bail("too many to try");
	tap_equal(ask_in_child(hold_all, &most), 0,
		  "that many (10), then EUSERS (11); a listener registers again (12), a place is"
		  " free at once (13), others have a limit of their own (14), and the limit comes"
		  " before a cgroup that does not exist (15)");
	/* The worker may not have freed those that were closed a moment ago. */
	tap_equal(ask_in_child(hold_all, &most), 0, "and all over again");
	tap_equal(ask_in_child(hold_all, &most), 0, "and once more");
}

int main(void)
{
	rights();
	borrowed_socket();
	taken_over();
	bounded();
	return tap_done();
}
