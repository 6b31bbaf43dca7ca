// SPDX-License-Identifier: GPL-2.0-only
/*
 * User and system time: for a thread what getrusage(2) says, and no less for whoever is
 * the sum of several.  The kernel divides the CPU time by ticks, so nothing is exact but
 * the sum; a thread that computes is mostly in user mode, one that reads zeroes is not.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define D	(400 * MS)

static struct taskrt *handle;
static int zeroes;

struct modes {
	uint64_t user, system;
};

static uint64_t ns_of(const struct timeval *time)
{
	return time->tv_sec * SEC + time->tv_usec * US;
}

static struct modes modes_used(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (struct modes){ ns_of(&usage.ru_utime), ns_of(&usage.ru_stime) };
}

static struct modes modes_of(const struct taskrt_reading *reading)
{
	return (struct modes){ VALUE(*reading, USER_NS), VALUE(*reading, SYSTEM_NS) };
}

/* getrusage() cuts off what is less than a microsecond. */
static int is_between(struct modes least, struct modes modes, struct modes most)
{
	if (least.user <= modes.user && modes.user < most.user + US &&
	    least.system <= modes.system && modes.system < most.system + US)
		return 1;
	tap_diag("user %llu <= %llu <= %llu, system %llu <= %llu <= %llu",
		 (unsigned long long)least.user, (unsigned long long)modes.user,
		 (unsigned long long)most.user, (unsigned long long)least.system,
		 (unsigned long long)modes.system, (unsigned long long)most.system);
	return 0;
}

/* Looks at the clock, which is a system call, once in a while. */
static void compute(void)
{
	uint64_t end = clock_of(CLOCK_THREAD_CPUTIME_ID) + D;
	volatile unsigned int i;

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end)
		for (i = 0; i < 1000000; i++)
			;
}

static void read_zeroes(void)
{
	uint64_t end = clock_of(CLOCK_THREAD_CPUTIME_ID) + D;
	static char buffer[1 << 20];

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end)
		if (read(zeroes, buffer, sizeof(buffer)) != sizeof(buffer))
			tap_bail("/dev/zero");
}

struct part {
	void (*work)(void);
	const char *name;
	struct modes begin, end;	/* of the thread that does the work, as we read them */
	struct modes least, most;	/* around end, as the kernel says */
};

static void observed(void *arg)
{
	struct taskrt *mine = window_open();
	struct taskrt_reading reading;
	struct part *part = arg;

	window_thread(mine, 0, &reading);
	part->begin = modes_of(&reading);
	part->work();
	part->least = modes_used(RUSAGE_THREAD);
	window_thread(mine, 0, &reading);
	part->end = modes_of(&reading);
	part->most = modes_used(RUSAGE_THREAD);
	taskrt_close(mine);
}

static void threads(void)
{
	struct part parts[] = {
		{ .work = compute, .name = "computing" },
		{ .work = read_zeroes, .name = "reading zeroes" },
	};
	struct modes before, after;
	struct taskrt_reading reading;
	struct thread thread;
	unsigned int i;

	window_process(handle, getpid(), &reading);
	before = modes_of(&reading);
	for (i = 0; i < 2; i++) {
		struct part *part = &parts[i];
		uint64_t user, system;

		thread_start(&thread, observed, part);
		thread_join(&thread);
		user = part->end.user - part->begin.user;
		system = part->end.system - part->begin.system;
		tap_ok(is_between(part->least, part->end, part->most),
		       "%s: between two calls of getrusage", part->name);
		tap_at_least(user + system, D - 20 * MS, "%s: the sum", part->name);
		if (i)
			tap_at_least(system, user, "%s: in kernel mode mostly", part->name);
		else
			tap_at_least(user, system, "%s: in user mode mostly", part->name);
	}
	window_process(handle, getpid(), &reading);
	after = modes_of(&reading);
	tap_at_least(after.user, before.user + parts[0].end.user + parts[1].end.user,
		     "the process keeps the user time of its threads that have ended");
	tap_at_least(after.system, before.system + parts[0].end.system + parts[1].end.system,
		     "and the system time");
}

/* A child says what it has used so far, and ends. */
static struct modes child(void)
{
	struct modes modes;
	int told[2];
	pid_t pid;

	if (pipe(told))
		tap_bail("pipe");
	pid = fork();
	if (!pid) {
		compute();
		read_zeroes();
		modes = modes_used(RUSAGE_THREAD);
		_exit(write(told[1], &modes, sizeof(modes)) != sizeof(modes));
	}
	if (read(told[0], &modes, sizeof(modes)) != sizeof(modes))
		tap_bail("the child says nothing");
	waitpid(pid, NULL, 0);
	close(told[0]);
	close(told[1]);
	return modes;
}

static struct modes of_children(void)
{
	struct taskrt_reading reading;

	do
		if (window_ask(handle, TASKRT_ENTITY_CHILDREN, 0, &reading))
			tap_bail("children: %s", taskrt_error(handle));
	while (reading.stats.flags & TASKRT_FLAG_PENDING && patience_lasts());
	return modes_of(&reading);
}

static void children(void)
{
	struct modes before = of_children(), used = child(), after = of_children();

	tap_at_least(after.user, before.user + used.user, "a child: its user time is kept");
	tap_at_least(after.system, before.system + used.system, "and its system time");
}

static void nothing(void)
{
}

static volatile int stop;

static void come_and_go(void *unused)
{
	struct thread thread;
	struct part part;

	(void)unused;
	while (!stop) {
		part = (struct part){ .work = nothing, .name = "" };
		thread_start(&thread, observed, &part);
		thread_join(&thread);
	}
}

/* While threads end, nothing that was told is taken back. */
static void never_less(void)
{
	enum { READS = 2000 };
	struct modes last = { 0, 0 }, now;
	struct taskrt_reading reading;
	struct thread thread;
	int i, less = 0;

	stop = 0;
	thread_start(&thread, come_and_go, NULL);
	for (i = 0; i < READS; i++) {
		window_process(handle, getpid(), &reading);
		now = modes_of(&reading);
		less += now.user < last.user || now.system < last.system;
		last = now;
	}
	stop = 1;
	thread_join(&thread);
	tap_equal(less, 0, "%d times while threads end: neither decreases", READS);
}

int main(void)
{
	handle = window_open();
	zeroes = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	threads();
	children();
	never_less();
	taskrt_close(handle);
	return tap_done();
}
