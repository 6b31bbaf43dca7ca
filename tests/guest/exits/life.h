/* SPDX-License-Identifier: GPL-2.0-only */
/* For exits_totals.c: processes that live and end in all possible ways. */
#ifndef LIFE_H
#define LIFE_H

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"

#define STACK		(64 * 1024)
#define AFTER_EXEC	2	/* threads */
#define SHORT_LIFE	"taskrt-short-life"
#define SECOND_LIFE	"taskrt-second-life"

struct life {
	pid_t pid, parent;
	unsigned int kind;
	unsigned int threads;	/* that it has had by its end */
	int status;		/* as wait(2) reports it */
	uid_t uid;
	char comm[16];		/* "" if it is not known */
};

static char self[PATH_MAX];
static pthread_t ids[64];

/* Causes some of each event that is counted: a fault, a switch, a sleep. */
static void *work(void *unused)
{
	volatile char *area = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	area[0] = 1;
	sched_yield();
	munmap((void *)area, 4096);
	return unused;
}

static void *work_on(void *unused)
{
	for (;;) {
		work(unused);
		clock_sleep(100 * US);
	}
	return unused;
}

static void start(unsigned int threads, void *(*fn)(void *unused))
{
	pthread_attr_t attr;
	unsigned int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (i = 0; i < threads; i++)
		if (pthread_create(&ids[i], &attr, fn, NULL))
			_exit(101);
}

static void join(unsigned int threads)
{
	while (threads--)
		pthread_join(ids[threads], NULL);
}

static void alone(unsigned int threads)
{
	_exit(threads % 2);
}

static void joined(unsigned int threads)
{
	start(threads, work);
	work(NULL);
	join(threads);
	_exit(3);
}

/* Some threads have ended by then, some have not begun. */
static void left_running(unsigned int threads)
{
	start(threads, work);
	_exit(4);
}

static void *work_later(void *unused)
{
	clock_sleep(2 * MS);
	return work(unused);
}

static void leader_first(unsigned int threads)
{
	start(threads, work_later);
	syscall(SYS_exit, 5);
}

static void killed(unsigned int threads)
{
	start(threads, work_on);
	clock_sleep(MS);
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

static void *end_all(void *unused)
{
	_exit(6);
	return unused;
}

static void ended_by_another(unsigned int threads)
{
	start(threads - 1, work_on);
	start(1, end_all);
	for (;;)
		pause();
}

static void *exec_second_life(void *unused)
{
	execl(self, SECOND_LIFE, NULL);
	_exit(102);
	return unused;
}

static void exec_by_another(unsigned int threads)
{
	start(threads - 1, work_on);
	start(1, exec_second_life);
	for (;;)
		pause();
}

static void exec_by_leader(unsigned int threads)
{
	start(threads, work_on);
	exec_second_life(NULL);
}

static void reap(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		_exit(103);
}

static void vforks(unsigned int threads)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	reap(pid);
	alone(threads);
}

static void vforks_and_execs(unsigned int threads)
{
	pid_t pid = vfork();

	if (!pid) {
		execl(self, SHORT_LIFE, NULL);
		_exit(104);
	}
	reap(pid);
	alone(threads);
}

static void dumps_core(unsigned int threads)
{
	struct rlimit limit = { 4 << 20, 4 << 20 };

	setrlimit(RLIMIT_CORE, &limit);
	start(threads, work_on);
	abort();
}

static void *fork_one(void *unused)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	reap(pid);
	return unused;
}

static void forks_in_threads(unsigned int threads)
{
	start(threads, fork_one);
	join(threads);
	_exit(7);
}

static const struct {
	const char *name;
	void (*fn)(unsigned int threads);
	unsigned int least;	/* the minimum of threads beside the first */
	int none;		/* it always has one thread only */
	unsigned int more;	/* threads in its second life */
} kinds[] = {
	{ "alone", alone, 0, 1, 0 },
	{ "joined", joined, 0, 0, 0 },
	{ "left running", left_running, 0, 0, 0 },
	{ "leader first", leader_first, 1, 0, 0 },
	{ "killed", killed, 0, 0, 0 },
	{ "ended by another", ended_by_another, 1, 0, 0 },
	{ "exec by another", exec_by_another, 1, 0, AFTER_EXEC },
	{ "exec by the leader", exec_by_leader, 0, 0, AFTER_EXEC },
	{ "vfork", vforks, 0, 1, 0 },
	{ "vfork and exec", vforks_and_execs, 0, 1, 0 },
	{ "core dump", dumps_core, 0, 0, 0 },
	{ "forks in threads", forks_in_threads, 0, 0, 0 },
};

static unsigned int life_kinds(void)
{
	return sizeof(kinds) / sizeof(*kinds);
}

static const char *life_name(unsigned int kind)
{
	return kinds[kind].name;
}

/*
 * Call this first of all in main(): in a program that one of the processes has executed it
 * does not return.
 */
static void life_main(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		tap_bail("/proc/self/exe");
	self[n] = 0;
	if (argc && !strcmp(argv[0], SHORT_LIFE))
		_exit(0);
	if (argc && !strcmp(argv[0], SECOND_LIFE))
		joined(AFTER_EXEC);
}

/*
 * Runs a process of that kind, with this many threads beside the first where the kind has
 * threads; waits for its end.
 */
static void life_run(struct life *life, unsigned int kind, unsigned int threads)
{
	pid_t pid;

	if (kinds[kind].none)
		threads = 0;
	else if (threads < kinds[kind].least)
		threads = kinds[kind].least;
	memset(life, 0, sizeof(*life));
	life->kind = kind;
	life->parent = getpid();
	life->uid = getuid();
	life->threads = 1 + threads + kinds[kind].more;
	if (!kinds[kind].more)
		snprintf(life->comm, sizeof(life->comm), "%.15s", kinds[kind].name);
	/* *life may be memory that the child shares. */
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, kinds[kind].name);
		kinds[kind].fn(threads);
	}
	life->pid = pid;
	if (pid < 0 || waitpid(life->pid, &life->status, 0) != life->pid)
		tap_bail("a process of kind %s: %s", kinds[kind].name, strerror(errno));
}

#endif
