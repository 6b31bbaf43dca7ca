// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backlog of a listener that does not read is charged to the listener's memory cgroup.
 * If the cgroup has no room, that listener loses records; nobody is killed, and others
 * receive theirs.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"
#include "listener.h"
#include "memcg.h"
#include "modinfo.h"
#include "module.h"
#include "tap.h"
#include "token.h"

#define MUCH	(1U << 20)	/* a backlog, in bytes */
#define ROOM	(256U << 10)	/* what the cgroup has left then */
#define THREADS	200		/* that end in one round */
#define ROUNDS	100		/* at most, until there is so much or until there is no room */

static struct listener reader;

/* Starts a listener in the cgroup that never reads. */
static pid_t start_deaf(void)
{
	static struct listener listener;
	int small = 1, ready[2];
	pid_t pid;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (pid) {
		token_await(ready[0]);
		return pid;
	}
	memcg_enter();
	listener_open(&listener, NULL, NULL);
	setsockopt(listener.raw.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	listener_listen(&listener, NULL);
	token_pass(ready[1]);
	for (;;)
		pause();
}

static void one_round(void)
{
	struct churn churn;

	churn_prepare(&churn, THREADS);
	churn_threads(&churn);
	churn_end(&churn);
	listener_drain(&reader);
}

/* Threads end until the number is at least that. */
static uint64_t until(uint16_t type, uint64_t least)
{
	unsigned int i;

	for (i = 0; i < ROUNDS && modinfo(type) < least; i++)
		one_round();
	return modinfo(type);
}

static void check(void)
{
	pid_t pid = start_deaf();
	uint64_t before = memcg_usage(), backlog = until(TASKRT_INFO_A_BACKLOG, MUCH), lost;

	tap_at_least(backlog, MUCH, "a listener that does not read has a backlog");
	tap_at_least(memcg_usage(), before + backlog / 2, "which is charged to its cgroup");
	if (!memcg_limit(memcg_usage() + ROOM))
		tap_bail("no limit of the cgroup");
	lost = modinfo(TASKRT_INFO_A_EXITS_LOST);
	tap_at_least(until(TASKRT_INFO_A_EXITS_LOST, lost + 1), lost + 1,
		     "the cgroup has no room: records are lost");
	/* The cgroup charges pages before it uses them, for each CPU. */
	tap_at_most(modinfo(TASKRT_INFO_A_BACKLOG), backlog + ROOM + MUCH,
		    "the backlog does not grow");
	tap_equal(waitpid(pid, NULL, WNOHANG), 0, "nobody is killed");
	tap_equal(reader.lost, 0, "another listener receives all its records");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_equal(modinfo_await(TASKRT_INFO_A_BACKLOG, 0), 0, "the backlog ends with its listener");
}

int main(void)
{
	const char *group = memcg_make();

	if (!group) {
		tap_skip("a cgroup that counts memory", "this kernel has no memory controller");
		return tap_done();
	}
	tap_diag("in %s", group);
	module_must_set("backlog_kib", "65536");
	listener_open(&reader, NULL, NULL);
	listener_listen(&reader, NULL);
	check();
	listener_close(&reader);
	module_must_set("backlog_kib", "8192");
	tap_ok(memcg_remove(), "the cgroup can go");
	return tap_done();
}
