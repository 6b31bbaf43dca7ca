// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads end on all processors, one after the other, until enough of them have ended.
 * What the module puts off, for a batch of them, is then as much at the begin as at the end.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "listener.h"
#include "stats_listener.h"
#include "tap.h"
#include "thread.h"

#define WARM_UP	4000
#define ENDS	16000
#define CPUS	64		/* at most */

/* How many threads have ended on a processor; each is on a line of its own. */
static struct ended {
	volatile unsigned long count;
	char pad[256 - sizeof(long)];
} *ended;

static void *nothing(void *unused)
{
	return unused;
}

static void work(unsigned int cpu)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(cpu);
	for (;;) {
		if (pthread_create(&thread, NULL, nothing, NULL))
			_exit(1);
		pthread_join(thread, NULL);
		ended[cpu].count++;
	}
}

static unsigned long all_ended(void)
{
	unsigned long sum = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		sum += ended[cpu].count;
	return sum;
}

/* Receives messages without parsing them, which is not a cost of the kernel. */
static int drain(int fd)
{
	static char buffer[65536];
	int messages = 0;

	while (recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT) > 0)
		messages++;
	return messages;
}

/* Returns when so many have ended, and a message has just arrived if some are expected. */
static unsigned long await(int fd, unsigned long enough)
{
	uint64_t patience = clock_now() + 100 * SEC;
	unsigned long now;
	int came;

	do {
		clock_sleep(MS);
		came = fd < 0 || drain(fd);
		now = all_ended();
		if (clock_now() > patience)
			tap_bail("%lu threads ended, and %s", now, came ? "too few" : "no message");
	} while (now < enough || !came);
	return now;
}

static double each(int fd)
{
	unsigned long first = await(fd, all_ended() + WARM_UP), last;
	uint64_t begin = clock_now();

	last = await(fd, first + ENDS);
	return event_each(begin, clock_now(), last - first);
}

struct workers {
	pid_t pids[CPUS];
	int count;
};

static void begin(struct workers *workers)
{
	int cpu;

	workers->count = sysconf(_SC_NPROCESSORS_ONLN);
	if (!ended)
		ended = mmap(NULL, CPUS * sizeof(*ended), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ended == MAP_FAILED || workers->count > CPUS)
		tap_bail("no memory, or too many processors");
	for (cpu = 0; cpu < workers->count; cpu++) {
		workers->pids[cpu] = fork();
		if (!workers->pids[cpu])
			work(cpu);
	}
	/* It reads while they are busy. */
	thread_fifo(1);
}

static void end(struct workers *workers)
{
	int cpu;

	thread_other();
	for (cpu = 0; cpu < workers->count; cpu++) {
		kill(workers->pids[cpu], SIGKILL);
		waitpid(workers->pids[cpu], NULL, 0);
	}
}

double steady_exit(void)
{
	const struct listener_filter times = { .groups = TASKRT_GROUP_TIMES };
	struct listener listener;
	struct workers workers;
	double with, without;

	listener_open(&listener, NULL, NULL);
	begin(&workers);
	without = each(-1);
	listener_listen(&listener, &times);
	with = each(listener.raw.fd);
	end(&workers);
	listener_close(&listener);
	return with - without;
}

double steady_exit_taskstats(void)
{
	static struct stats_listener listener;
	struct workers workers;
	double with, without;

	begin(&workers);
	without = each(-1);
	stats_listener_open(&listener);
	if (listener.fd < 0)
		tap_bail("this kernel has no taskstats");
	with = each(listener.fd);
	end(&workers);
	close(listener.fd);
	return with - without;
}
