// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listening from inside namespaces.  In a pid namespace a listener receives the tasks
 * inside, by the ids that it sees; in a user namespace it has no right over tasks outside;
 * the network namespace does not matter.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "listener.h"
#include "patience.h"
#include "tap.h"
#include "token.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };

/* What a listener found, and what it has to wait for. */
struct found {
	int error;			/* of REGISTER */
	char text[160];
	unsigned int inside, outside;	/* records of tasks there */
	unsigned int wrong;
	uint32_t ppid, tgid, tid, uid;	/* of the one inside */
};

static struct found *found;
static int up[2], down[2];
static uint32_t expected;

static void note(const struct listener_record *record, void *unused)
{
	const struct taskrt_reading *reading = &record->reading;

	(void)unused;
	if (reading->stats.tgid != expected) {
		found->outside++;
		return;
	}
	found->inside++;
	found->ppid = reading->stats.ppid;
	found->tgid = reading->stats.tgid;
	found->uid = reading->stats.uid;
	if (!record->process)
		found->tid = reading->stats.tid;
}

static pid_t child_ends(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	expected = pid;
	waitpid(pid, NULL, 0);
	return pid;
}

static unsigned int outside_wanted;	/* records */

/* Registers, lets the others end outside, and receives the record of one inside. */
static int listen_inside(const struct listener_filter *filter)
{
	struct raw_answer answer;
	struct listener listener;

	expected = 0;
	if (listener_try_open(&listener, note, NULL))
		return 201;
	found->error = listener_register(&listener, filter, &answer);
	snprintf(found->text, sizeof(found->text), "%s", answer.text);
	token_pass(up[1]);
	token_await(down[0]);
	if (!found->error)
		listener_until(&listener, child_ends());
	/* Of a task that was waited for, the record may come later. */
	while (found->outside < outside_wanted && patience_lasts())
		listener_wait(&listener, 100);
	found->wrong = listener.wrong;
	listener_close(&listener);
	return 0;
}

/* Several tasks end outside while fn listens in a process of its own. */
static void with_listener(int (*fn)(void *arg), void *arg, const char *name)
{
	pid_t pid, others[3];
	unsigned int i;
	int status;

	memset(found, 0, sizeof(*found));
	if (pipe(up) || pipe(down))
		tap_bail("pipe");
	for (i = 0; i < 3; i++)
		others[i] = ask_target(&user, 1);
	pid = fork();
	if (!pid)
		_exit(fn(arg));
	token_await(up[0]);
	for (i = 0; i < 3; i++)
		ask_end(others[i]);
	token_pass(down[1]);
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "%s: listened", name);
	tap_equal(found->wrong, 0, "%s: no broken promise", name);
	close(up[0]);
	close(up[1]);
	close(down[0]);
	close(down[1]);
}

static const struct listener_filter everybody;
static const struct listener_filter mine = { .own = 1 };

static int run_in_child(const struct listener_filter *filter)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(listen_inside(filter));
	waitpid(pid, &status, 0);
	return status >> 8 | status;
}

static int in_pids(void *unused)
{
	(void)unused;
	return unshare(CLONE_NEWPID) ? 202 : run_in_child(&everybody);
}

static void pids(void)
{
	with_listener(in_pids, NULL, "pid namespace");
	tap_errno(found->error, 0, "pid namespace: root may listen");
	tap_equal(found->inside, 2, "pid namespace: the task inside, as thread and process");
	tap_equal(found->outside, 0, "pid namespace: no task outside");
	tap_equal(found->tgid, 2, "pid namespace: by the pid that it has inside");
	tap_equal(found->tid, 2, "pid namespace: the thread too");
	tap_equal(found->ppid, 1, "pid namespace: and its parent");
}

static int in_net(void *unused)
{
	(void)unused;
	return unshare(CLONE_NEWNET) ? 202 : listen_inside(&everybody);
}

static void nets(void)
{
	outside_wanted = 2 * 3;
	with_listener(in_net, NULL, "network namespace");
	outside_wanted = 0;
	tap_errno(found->error, 0, "network namespace: root may listen");
	tap_equal(found->inside, 2, "network namespace: the tasks of its pid namespace");
	tap_at_least(found->outside, 2 * 3, "network namespace: all of them");
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

struct inside {
	int flags;			/* of unshare(2) beside CLONE_NEWUSER */
	const struct listener_filter *filter;
};

/* Becomes root of a user namespace, which is the user outside. */
static int in_users(void *arg)
{
	struct inside *inside = arg;
	char map[32];

	ask_become(&user);
	prctl(PR_SET_DUMPABLE, 1);
	snprintf(map, sizeof(map), "0 %d 1", ASK_USER);
	if (unshare(CLONE_NEWUSER | inside->flags) ||
	    !write_text("/proc/self/setgroups", "deny") ||
	    !write_text("/proc/self/uid_map", map) || !write_text("/proc/self/gid_map", map) ||
	    setresgid(0, 0, 0) || setresuid(0, 0, 0))
		return 202;
	prctl(PR_SET_DUMPABLE, 1);
	return run_in_child(inside->filter);
}

static void users(void)
{
	struct inside inside = { 0, &everybody };

	with_listener(in_users, &inside, "user namespace");
	tap_errno(found->error, -EPERM, "user namespace: its root may not listen to everybody");
	tap_ok(found->text[0], "user namespace: and why: %s", found->text);
	inside.flags = CLONE_NEWNET;
	with_listener(in_users, &inside, "user and network namespace");
	tap_errno(found->error, -EPERM, "user and network namespace: it may not either");
	inside.flags = CLONE_NEWPID | CLONE_NEWNET;
	with_listener(in_users, &inside, "user, network and pid namespace");
	tap_errno(found->error, 0, "its own pid namespace: it may");
	tap_equal(found->inside, 2, "its own pid namespace: the task inside");
	tap_equal(found->outside, 0, "its own pid namespace: no other task");
	tap_equal(found->uid, 0, "its own pid namespace: by the uid that it has inside");
}

/* The user's own tasks outside have the same ids, but belong to another user namespace. */
static void users_own(void)
{
	struct inside inside = { CLONE_NEWPID, &mine };

	with_listener(in_users, &inside, "OWN in a user and pid namespace");
	tap_errno(found->error, 0, "OWN inside: it may");
	tap_equal(found->inside, 2, "OWN inside: the task inside");
	tap_equal(found->outside, 0, "OWN inside: no other task");
	inside.flags = 0;
	with_listener(in_users, &inside, "OWN in a user namespace");
	tap_errno(found->error, 0, "OWN in a user namespace: it may");
	tap_equal(found->inside, 2, "OWN in a user namespace: the task inside");
}

static void in_conditions(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	if ((attr->nla_type & NLA_TYPE_MASK) == TASKRT_FILTER_A_TGID && length == sizeof(uint32_t))
		memcpy(arg, payload, length);
}

static void in_registration(const struct nlattr *attr, const void *payload, size_t length,
			    void *arg)
{
	if ((attr->nla_type & NLA_TYPE_MASK) == TASKRT_A_FILTER)
		raw_walk(payload, length, in_conditions, arg);
}

static void in_list(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	if ((attr->nla_type & NLA_TYPE_MASK) == TASKRT_A_REGISTRATION)
		raw_walk(payload, length, in_registration, arg);
}

/* The process of the registration, as LIST reports it. */
static uint32_t listed_tgid(struct listener *listener)
{
	struct raw_answer answer;
	uint32_t tgid = ~0U;

	if (listener_ask(listener, TASKRT_CMD_LIST, NULL, &answer))
		return 0;
	raw_walk(answer.reply, answer.length, in_list, &tgid);
	return tgid;
}

/* LIST reports the ids of the pid namespace that registered, whoever holds the socket. */
static void listed(void)
{
	static const struct listener_filter one = { .tgid = LISTENER_SELF };
	struct listener listener;
	pid_t pid;

	memset(found, 0, sizeof(*found));
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, &one);
	tap_equal(listed_tgid(&listener), getpid(), "LIST: the process that is meant");
	if (unshare(CLONE_NEWPID))
		tap_bail("unshare: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		found->tgid = listed_tgid(&listener);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	tap_equal(found->tgid, getpid(), "LIST from another pid namespace: the same");
	listener_close(&listener);
}

int main(void)
{
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	nets();
	pids();
	users();
	users_own();
	listed();
	return tap_done();
}
