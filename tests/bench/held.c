// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of many threads that run, while another one asks for it: what an answer costs,
 * and for how long a real-time thread of the process is held up by it.
 */
#include <errno.h>
#include <linux/taskstats.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "raw.h"
#include "tap.h"
#include "thread.h"

#define STACK	(64 * 1024)
#define EVERY	(500 * MS)	/* each thread runs */
#define LOOK	(200 * US)	/* the real-time one runs */
#define WATCHED	(200 * MS)	/* for so long the longest delay is looked for */

static struct shared {
	volatile int ready;
	volatile uint64_t longest;
} *shared;

static void *live(void *unused)
{
	for (;;)
		clock_sleep(EVERY);
	return unused;
}

/* How late a real-time thread runs that has waited for a time. */
static void *look(void *unused)
{
	uint64_t next = clock_now();

	thread_fifo(50);
	shared->ready = 1;
	for (;;) {
		struct timespec ts = { next / SEC, next % SEC };
		uint64_t late;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		late = clock_now() - next;
		if (late > shared->longest)
			shared->longest = late;
		next += late + LOOK;
	}
	return unused;
}

static void be_process(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (i = 0; i < HELD_THREADS - 1; i++)
		if (pthread_create(&thread, &attr, i ? live : look, NULL))
			_exit(1);
	live(NULL);
}

static pid_t process_begin(void)
{
	pid_t pid;

	if (!shared)
		shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		tap_bail("no memory");
	shared->ready = 0;
	pid = fork();
	if (!pid)
		be_process();
	while (!shared->ready)
		clock_sleep(MS);
	/* Until then it has begun all of them. */
	clock_sleep(500 * MS);
	return pid;
}

static void process_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Who asks for the process, in which way. */
struct asker {
	struct raw raw;
	struct raw_message message;
	pid_t process;
};

static void ask(const struct asker *asker)
{
	char answer[4096];

	if (send(asker->raw.fd, &asker->message, asker->message.nl.nlmsg_len, 0) < 0 ||
	    recv(asker->raw.fd, answer, sizeof(answer), 0) < 200)
		tap_bail("GET of a process: %s", strerror(errno));
}

static void asker_begin(struct asker *asker)
{
	asker->process = process_begin();
	if (raw_open(&asker->raw))
		tap_bail("the netlink family is not available");
	raw_begin(&asker->raw, &asker->message, TASKRT_CMD_GET, 0);
	raw_put_u32(&asker->message, TASKRT_A_TGID, asker->process);
	raw_put_u32(&asker->message, TASKRT_A_GROUPS, TASKRT_GROUP_TIMES);
}

static void asker_begin_taskstats(struct asker *asker)
{
	asker->process = process_begin();
	if (raw_open_family(&asker->raw, TASKSTATS_GENL_NAME))
		tap_bail("this kernel has no taskstats");
	raw_begin(&asker->raw, &asker->message, TASKSTATS_CMD_GET, 0);
	raw_put_u32(&asker->message, TASKSTATS_CMD_ATTR_TGID, asker->process);
}

static void asker_end(struct asker *asker)
{
	raw_close(&asker->raw);
	process_end(asker->process);
}

/* The CPU time of the asker, as the threads run meanwhile. */
static double get(const struct asker *asker)
{
	enum { ROUNDS = 50 };
	uint64_t begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
	int i;

	for (i = 0; i < ROUNDS; i++)
		ask(asker);
	return event_each(begin, clock_of(CLOCK_THREAD_CPUTIME_ID), ROUNDS * HELD_THREADS);
}

static double longest_delay(const struct asker *asker)
{
	uint64_t end = clock_now() + WATCHED;

	shared->longest = 0;
	while (clock_now() < end)
		if (asker)
			ask(asker);
	return shared->longest;
}

static double held(void (*begin)(struct asker *asker), double (*measure)(const struct asker *asker))
{
	struct asker asker;
	double measured;

	begin(&asker);
	measured = measure(&asker);
	asker_end(&asker);
	return measured;
}

double held_get(void)
{
	return held(asker_begin, get);
}

double held_get_taskstats(void)
{
	return held(asker_begin_taskstats, get);
}

double held_asked(void)
{
	return held(asker_begin, longest_delay);
}

double held_asked_taskstats(void)
{
	return held(asker_begin_taskstats, longest_delay);
}

double held_alone(void)
{
	pid_t process = process_begin();
	double delay = longest_delay(NULL);

	process_end(process);
	return delay;
}
