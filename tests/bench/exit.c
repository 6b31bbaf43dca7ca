// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "listener.h"
#include "stats_listener.h"
#include "tap.h"

#define ROUNDS		3000
#define WARM_UP		600
#define READ_EVERY	20	/* exits: a fraction of what the receive buffer holds */

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
static unsigned int drain(int fd)
{
	static char buffer[65536];
	unsigned int messages = 0;

	while (recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT) > 0)
		messages++;
	return messages;
}

/* Repeats @end_one at least @least times; with a listener, until a message has arrived. */
static unsigned int run(void (*end_one)(void), int fd, int heard, unsigned int least)
{
	unsigned int rounds = 0, came = 0, i;

	while (rounds < least || (heard && !came)) {
		for (i = 0; i < READ_EVERY; i++)
			end_one();
		rounds += READ_EVERY;
		came = drain(fd);
		if (came && !heard)
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
static double each(void (*end_one)(void), int fd, int heard)
{
	unsigned int rounds;
	uint64_t begin;

	run(end_one, fd, heard, WARM_UP);
	begin = clock_now();
	rounds = run(end_one, fd, heard, ROUNDS);
	return (double)(clock_now() - begin) / rounds;
}

static double told(void (*end_one)(void), uint32_t entities, uint32_t groups)
{
	const struct listener_filter filter = { .entities = entities, .groups = groups };
	double with, without;
	struct listener listener;

	listener_open(&listener, NULL, NULL);
	without = each(end_one, listener.raw.fd, 0);
	listener_listen(&listener, &filter);
	with = each(end_one, listener.raw.fd, 1);
	listener_close(&listener);
	return with - without;
}

double exit_thread(void)
{
	return told(one_thread, 0, EVERY_GROUP);
}

double exit_thread_times(void)
{
	return told(one_thread, 0, TASKRT_GROUP_TIMES);
}

double exit_process(void)
{
	return told(one_process, 0, EVERY_GROUP);
}

double exit_process_times(void)
{
	return told(one_process, 0, TASKRT_GROUP_TIMES);
}

double exit_process_thread(void)
{
	return told(one_process, TASKRT_ENTITIES_THREADS, EVERY_GROUP);
}

static double taskstats(void (*end_one)(void))
{
	static struct stats_listener listener;
	double with, without;
	int deaf = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);

	without = each(end_one, deaf, 0);
	close(deaf);
	stats_listener_open(&listener);
	if (listener.fd < 0)
		tap_bail("this kernel has no taskstats");
	with = each(end_one, listener.fd, 1);
	close(listener.fd);
	return with - without;
}

double exit_thread_taskstats(void)
{
	return taskstats(one_thread);
}

double exit_process_taskstats(void)
{
	return taskstats(one_process);
}
