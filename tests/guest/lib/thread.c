// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "thread.h"

static void *started(void *arg)
{
	struct thread *thread = arg;

	thread->tid = syscall(SYS_gettid);
	thread->fn(thread->arg);
	return NULL;
}

void thread_start(struct thread *thread, void (*fn)(void *arg), void *arg)
{
	thread->tid = 0;
	thread->fn = fn;
	thread->arg = arg;
	if (pthread_create(&thread->id, NULL, started, thread))
		tap_bail("pthread_create");
	while (!thread->tid)
		sched_yield();
}

void thread_join(struct thread *thread)
{
	pthread_join(thread->id, NULL);
}

void thread_pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		tap_bail("pinning to CPU %u: %s", cpu, strerror(errno));
}

void thread_unpin(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	sched_setaffinity(0, sizeof(set), &set);
}

static void set_class(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, policy, &param))
		tap_bail("sched_setscheduler: %s", strerror(errno));
}

void thread_fifo(int priority)
{
	set_class(SCHED_FIFO, priority);
}

void thread_other(void)
{
	set_class(SCHED_OTHER, 0);
}

char thread_letter(pid_t tid)
{
	char path[64], text[256];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", tid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = 0;
	end = strrchr(text, ')');
	return end && end[1] ? end[2] : 0;
}

void thread_await(pid_t tid, const char *letters)
{
	char letter;

	clock_await((letter = thread_letter(tid)) && strchr(letters, letter),
		    "thread %d never came to state %s", tid, letters);
}

void thread_pause(void)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	sigsuspend(&blocked);
}

int thread_kernel_is_rt(void)
{
	struct utsname name;

	return !uname(&name) && strstr(name.version, "PREEMPT_RT");
}
