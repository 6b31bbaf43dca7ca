// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * exits_poll: prints each task that ends, with its time on a CPU and its time waiting
 * for a CPU, until it is interrupted.  With CAP_NET_ADMIN it prints the tasks of all
 * users, otherwise only those of its own user.
 *
 *	cc -o exits_poll exits_poll.c $(pkg-config --cflags --libs libtaskrt)
 */
#define _GNU_SOURCE	/* ppoll() */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <taskrt.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void print_task(const char *what, uint32_t id, const struct taskrt_stats *stats)
{
	printf("%s %u %s: on a CPU %.6f s, waited for one %.6f s\n", what, id, stats->comm,
	       stats->cpu_time_ns / 1e9, stats->queue_time_ns / 1e9);
}

/* A later library may return records of further types, which are left out. */
static void print(const struct taskrt_exit *exit)
{
	const struct taskrt_stats *stats = &exit->reading.stats;

	switch (exit->type) {
	case TASKRT_EXIT_THREAD:
		print_task("thread", stats->tid, stats);
		break;
	case TASKRT_EXIT_PROCESS:
		print_task("process", stats->tgid, stats);
		break;
	case TASKRT_EXIT_LOST:
		printf("%llu records lost\n", (unsigned long long)exit->lost_now);
		break;
	}
}

/* Receives all records that are available.  Return: 0; a negative errno. */
static int read_all(struct taskrt_exits *exits)
{
	struct taskrt_exit exit;
	int found;

	/* EBADMSG: a malformed message was skipped, and its records count as lost. */
	do {
		found = taskrt_exits_next(exits, 0, &exit, sizeof(exit));
		if (found > 0)
			print(&exit);
	} while (found > 0 || found == -EBADMSG);
	return found;
}

static int start(struct taskrt_exits *exits)
{
	struct taskrt_query query = { .groups = 0 };	/* the statistics suffice */
	int err = taskrt_exits_register(exits, NULL, &query, sizeof(query), NULL, 0);

	if (err == -EPERM) {
		query.own_only = 1;
		err = taskrt_exits_register(exits, NULL, &query, sizeof(query), NULL, 0);
	}
	return err;
}

/*
 * Receives the records that arrived during registration, and then waits.  Signals
 * are only delivered inside ppoll().
 */
static int listen_until_interrupted(struct taskrt_exits *exits, const sigset_t *mask)
{
	struct pollfd pollfd = { .fd = taskrt_exits_fd(exits), .events = POLLIN };
	int err = start(exits);

	while (!err && !interrupted) {
		err = read_all(exits);
		fflush(stdout);
		if (!err && ppoll(&pollfd, 1, NULL, mask) < 0 && errno != EINTR)
			err = -errno;
	}
	return err;
}

int main(void)
{
	struct sigaction action = { .sa_handler = interrupt };
	struct taskrt_exits *exits;
	sigset_t signals, before;
	int err;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &before);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	err = taskrt_exits_open(&exits);
	if (err) {
		fprintf(stderr, "taskrt: %s\n", strerror(-err));
		return 1;
	}
	err = listen_until_interrupted(exits, &before);
	if (err)
		fprintf(stderr, "taskrt: %s\n", taskrt_exits_error(exits));
	taskrt_exits_close(exits);
	return err != 0;
}
