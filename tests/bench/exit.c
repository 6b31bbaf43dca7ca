// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "listener.h"
#include "module.h"
#include "stats_listener.h"
#include "tap.h"

#define ROUNDS		3000
#define WARM_UP		600
#define READ_EVERY	20	/* exits: a fraction of what the receive buffer holds */

/* The sockets that are read, of one listener or of many. */
struct ears {
	int fds[EXIT_LISTENERS_MAX];
	unsigned int count;
	int hear;		/* messages are expected */
};

static void *nothing(void *unused)
{
	return unused;
}

static void one_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL))
		tap_bail("cannot create a thread");
	pthread_join(thread, NULL);
}

static void one_process(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* Receives messages without parsing them, which is not a cost of the kernel. */
static unsigned int drain(const struct ears *ears)
{
	static char buffer[65536];
	unsigned int messages = 0, i;

	for (i = 0; i < ears->count; i++)
		while (recv(ears->fds[i], buffer, sizeof(buffer), MSG_DONTWAIT) > 0)
			messages++;
	return messages;
}

/* Repeats @end_one at least @least times; with a listener, until a message has arrived. */
static unsigned int run(void (*end_one)(void), const struct ears *ears, unsigned int least)
{
	unsigned int rounds = 0, came = 0, i;

	while (rounds < least || (ears->hear && !came)) {
		for (i = 0; i < READ_EVERY; i++)
			end_one();
		rounds += READ_EVERY;
		came = drain(ears);
		if (came && !ears->hear)
			tap_bail("a message arrived on a socket without a registration");
		if (rounds > least + 10000)
			tap_bail("no message arrived at the listener");
	}
	return rounds;
}

/*
 * Measures from the arrival of one message to the arrival of another, so that the amount
 * of queued work is the same at the beginning and at the end.
 */
static double each(void (*end_one)(void), const struct ears *ears)
{
	unsigned int rounds;
	uint64_t begin;

	run(end_one, ears, WARM_UP);
	begin = clock_now();
	rounds = run(end_one, ears, ROUNDS);
	return (double)(clock_now() - begin) / rounds;
}

static double told(void (*end_one)(void), uint32_t entities, uint32_t groups,
		   unsigned int listeners)
{
	static struct listener listener[EXIT_LISTENERS_MAX];
	const struct listener_filter filter = { .entities = entities, .groups = groups };
	struct ears ears = { .count = listeners };
	double with, without;
	unsigned int i;

	for (i = 0; i < listeners; i++) {
		listener_open(&listener[i], NULL, NULL);
		ears.fds[i] = listener[i].raw.fd;
	}
	without = each(end_one, &ears);
	for (i = 0; i < listeners; i++)
		listener_listen(&listener[i], &filter);
	ears.hear = 1;
	with = each(end_one, &ears);
	for (i = 0; i < listeners; i++)
		listener_close(&listener[i]);
	return with - without;
}

double exit_thread(void)
{
	return told(one_thread, 0, EVERY_GROUP, 1);
}

double exit_thread_times(void)
{
	return told(one_thread, 0, TASKRT_GROUP_TIMES, 1);
}

double exit_process(void)
{
	return told(one_process, 0, EVERY_GROUP, 1);
}

double exit_process_times(void)
{
	return told(one_process, 0, TASKRT_GROUP_TIMES, 1);
}

double exit_process_thread(void)
{
	return told(one_process, TASKRT_ENTITIES_THREADS, EVERY_GROUP, 1);
}

double exit_listeners(unsigned int listeners)
{
	module_must_set("listeners_per_user", "64");
	return told(one_thread, 0, TASKRT_GROUP_TIMES, listeners);
}

static double taskstats(void (*end_one)(void), unsigned int listeners)
{
	static struct stats_listener listener[EXIT_LISTENERS_MAX];
	struct ears ears = { .count = listeners };
	double with, without;
	unsigned int i;

	for (i = 0; i < listeners; i++)
		ears.fds[i] = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
	without = each(end_one, &ears);
	for (i = 0; i < listeners; i++) {
		close(ears.fds[i]);
		stats_listener_open(&listener[i]);
		ears.fds[i] = listener[i].fd;
		if (ears.fds[i] < 0)
			tap_bail("this kernel has no taskstats");
	}
	ears.hear = 1;
	with = each(end_one, &ears);
	for (i = 0; i < listeners; i++)
		close(ears.fds[i]);
	return with - without;
}

double exit_thread_taskstats(void)
{
	return taskstats(one_thread, 1);
}

double exit_process_taskstats(void)
{
	return taskstats(one_process, 1);
}

double exit_listeners_taskstats(unsigned int listeners)
{
	return taskstats(one_thread, listeners);
}
