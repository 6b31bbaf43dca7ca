// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event on all processors at once, by a process on each.  The clock counts the
 * instructions of all of them, so that waiting for each other counts, too.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "event.h"
#include "tap.h"
#include "thread.h"

#define LEAST	500	/* of each process */
#define IN_ALL	16000

struct everywhere {
	void (*rounds)(unsigned int count);
	unsigned int count;	/* of each process */
	int ready[2], go[2], done[2], end[2];
};

static void await_end_of(int fd[2])
{
	char byte;

	close(fd[1]);
	if (read(fd[0], &byte, 1))
		tap_bail("a byte in a pipe that is only closed");
}

static void say(int fd)
{
	if (write(fd, "x", 1) != 1)
		tap_bail("cannot write to a pipe");
}

static void work(struct everywhere *all, unsigned int cpu)
{
	thread_pin(cpu);
	all->rounds(LEAST);
	say(all->ready[1]);
	await_end_of(all->go);
	all->rounds(all->count);
	say(all->done[1]);
	/* Who ends counts for nobody. */
	await_end_of(all->end);
	_exit(0);
}

static void hear(int fd, unsigned int times)
{
	char byte;

	while (times--)
		if (read(fd, &byte, 1) != 1)
			tap_bail("cannot read from a pipe");
}

static void open_pipes(struct everywhere *all)
{
	if (pipe2(all->ready, O_CLOEXEC) || pipe2(all->go, O_CLOEXEC) ||
	    pipe2(all->done, O_CLOEXEC) || pipe2(all->end, O_CLOEXEC))
		tap_bail("cannot create a pipe");
}

static void close_all(int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

static double everywhere(void (*rounds)(unsigned int))
{
	const unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct everywhere all = { .rounds = rounds, .count = IN_ALL / cpus };
	uint64_t begin, spent;
	unsigned int i;

	open_pipes(&all);
	for (i = 0; i < cpus; i++) {
		pid_t pid = fork();

		if (pid < 0)
			tap_bail("cannot fork");
		if (!pid)
			work(&all, i);
	}
	hear(all.ready[0], cpus);
	/* What they have left to be done later is done. */
	clock_sleep(SEC);
	begin = clock_now();
	close(all.go[1]);
	hear(all.done[0], cpus);
	spent = clock_now() - begin;
	close(all.end[1]);
	for (i = 0; i < cpus; i++)
		wait(NULL);
	close(all.go[0]);
	close(all.end[0]);
	close_all(all.ready);
	close_all(all.done);
	return event_each(0, spent, (unsigned long)all.count * cpus);
}

double everywhere_switch(void)
{
	return everywhere(pair_rounds);
}

double everywhere_fault(void)
{
	return everywhere(hooked_fault_rounds);
}

double everywhere_fork(void)
{
	return everywhere(hooked_fork_rounds);
}

double everywhere_mutex(void)
{
	return everywhere(hooked_mutex_rounds) - everywhere(hooked_nothing_rounds);
}
