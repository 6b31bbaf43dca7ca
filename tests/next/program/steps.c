// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps PAGE: prints how many instructions ten reads of this page take.  The library sees
 * it as this thread's page: its state is RUNNING, and no timer is in progress.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "taskrt.h"

#define READS	10

static const char *page;
static uint64_t now_ns = 2000000000;

/* A clock that advances with each call, and always takes the same time. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	now_ns += 1000;
	now->tv_sec = now_ns / 1000000000;
	now->tv_nsec = now_ns % 1000000000;
	return 0;
}

void *dlopen(const char *name, int flags)
{
	(void)name;
	(void)flags;
	return NULL;
}

int open(const char *path, int flags, ...)
{
	return syscall(SYS_openat, AT_FDCWD, strcmp(path, TASKRT_DEVICE) ? path : page, flags, 0);
}

static int reads(void)
{
	struct taskrt_snapshot now;
	struct taskrt_self *self;
	int bad = 0;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) ||
	    taskrt_self_open(&self, TASKRT_SELF_MAPPED))
		return 2;
	raise(SIGSTOP);
	for (int i = 0; i < READS; i++)
		bad |= taskrt_self_read(self, &now);
	raise(SIGSTOP);
	return bad || now.flags || now.times.states_ns[0] < 1000;
}

/* Counts the instructions from one stop to the next. */
static long count(pid_t child)
{
	long steps = 0;
	int status;

	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return -1;
	do {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) ||
		    waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			return -1;
		steps++;
	} while (WSTOPSIG(status) != SIGSTOP);
	if (ptrace(PTRACE_CONT, child, NULL, NULL) || waitpid(child, &status, 0) != child || status)
		return -1;
	return steps;
}

int main(int argc, char **argv)
{
	pid_t child;
	long steps;

	if (argc != 2)
		return 2;
	page = argv[1];
	child = fork();
	if (!child)
		return reads();
	steps = count(child);
	printf("%ld\n", steps);
	return steps < READS;
}
