// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thousands of dump requests in one datagram cost little more than thousands of errors: only
 * the last one is served, so no task waits long for the lock of generic netlink.  And a dump
 * of one process does not visit the threads of the others.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"
#include "raw.h"
#include "tap.h"

#define THREADS		3000
#define REQUESTS	8000
#define TRIES		10

/* CPU time in ns, of the user's process. */
struct costs {
	uint64_t flood;		/* one datagram of REQUESTS dumps of a process that is not the user's */
	uint64_t all;		/* one dump of all threads that the user may read */
	uint64_t one;		/* one dump of the user's process */
	int refused;		/* of the datagram */
};

static struct costs *costs;

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void live(int ready)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread, &attr, wait_for_ever, NULL))
			_exit(1);
	if (write(ready, "r", 1) == 1)
		wait_for_ever(NULL);
	_exit(1);
}

static pid_t start(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		live(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		tap_bail("no %u threads", THREADS);
	close(ready[0]);
	return pid;
}

static uint64_t cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void put_dump(const struct raw *raw, struct raw_message *message, int64_t tgid)
{
	raw_begin(raw, message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (tgid >= 0)
		raw_put_u32(message, TASKRT_A_TGID, tgid);
}

/* Of a few tries, the cheapest. */
static uint64_t cost_of(struct raw *raw, int64_t tgid)
{
	struct raw_message message;
	struct raw_answer answer;
	uint64_t least = -1, cost;
	int i;

	for (i = 0; i < TRIES; i++) {
		put_dump(raw, &message, tgid);
		cost = cpu_now();
		raw_ask(raw, &message, &answer, NULL, NULL);
		cost = cpu_now() - cost;
		if (answer.error || !answer.messages)
			_exit(1);
		least = cost < least ? cost : least;
	}
	return least;
}

static void receive(struct raw *raw)
{
	static char buffer[32768] __attribute__((aligned(8)));
	ssize_t got;

	while ((got = recv(raw->fd, buffer, sizeof(buffer), MSG_DONTWAIT)) >= 0 ||
	       errno == ENOBUFS) {
		const struct nlmsghdr *nl = (void *)buffer;
		int left = got;

		for (; NLMSG_OK(nl, left); nl = NLMSG_NEXT(nl, left))
			if (nl->nlmsg_type == NLMSG_ERROR &&
			    ((struct nlmsgerr *)NLMSG_DATA(nl))->error == -EINVAL)
				costs->refused++;
	}
}

static void flood(struct raw *raw)
{
	static char datagram[REQUESTS * 64];
	struct raw_message message;
	size_t length = 0;
	int i, room = sizeof(datagram);

	put_dump(raw, &message, 1);
	for (i = 0; i < REQUESTS; i++) {
		memcpy(datagram + length, &message, message.nl.nlmsg_len);
		length += NLMSG_ALIGN(message.nl.nlmsg_len);
	}
	setsockopt(raw->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	costs->flood = cpu_now();
	if (send(raw->fd, datagram, length, 0) != (ssize_t)length)
		_exit(1);
	costs->flood = cpu_now() - costs->flood;
	receive(raw);
}

static int as_user(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
	struct raw raw;

	(void)unused;
	ask_become(&user);
	if (raw_open(&raw))
		return 1;
	costs->one = cost_of(&raw, 0);
	costs->all = cost_of(&raw, -1);
	flood(&raw);
	return 0;
}

int main(void)
{
	pid_t crowd = start();

	costs = mmap(NULL, sizeof(*costs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	tap_equal(ask_in_child(as_user, NULL), 0, "a user dumps");
	tap_diag("us: %u dumps in a datagram %llu, a dump of all %llu, of one process %llu",
		 REQUESTS, (unsigned long long)costs->flood / 1000,
		 (unsigned long long)costs->all / 1000, (unsigned long long)costs->one / 1000);
	tap_at_least(costs->refused, 1, "dumps that others follow are refused");
	tap_at_most(costs->flood, costs->all * (REQUESTS / 8),
		    "%u dumps in a datagram cost less than %u of all threads", REQUESTS, REQUESTS / 8);
	tap_at_most(costs->one, costs->all / 2,
		    "a dump of one process costs less than half of one of all threads");
	kill(crowd, SIGKILL);
	waitpid(crowd, NULL, 0);
	return tap_done();
}
