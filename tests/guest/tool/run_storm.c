// SPDX-License-Identifier: GPL-2.0-only
/*
 * taskrt run counts every thread of a storm of forks: children that
 * are waited for, orphans, those whose parent is killed with them.  The storm
 * counts what it makes, and adds up the CPU time that each has seen of itself
 * shortly before its end.
 *
 * TASKRT_STORM_SECONDS: how long (5).
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"

#define FORKERS	4
#define LEAST	20	/* processes, to call it a storm */

/* Shared by the whole storm. */
static struct counts {
	atomic_ulong processes, threads, cpu_ns;
} *counts;

static pid_t group;

static uint64_t cpu_ns(void)
{
	struct timespec cpu;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	return (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

static _Noreturn void leave(int status)
{
	atomic_fetch_add(&counts->cpu_ns, cpu_ns());
	_exit(status);
}

static void *nothing(void *arg)
{
	return arg;
}

/* The parent counts a process, because a process may be killed before it runs. */
static pid_t make(void)
{
	pid_t pid = fork();

	if (pid > 0) {
		atomic_fetch_add(&counts->processes, 1);
		atomic_fetch_add(&counts->threads, 1);
	}
	return pid;
}

static _Noreturn void leaf(unsigned int how)
{
	pthread_t thread;

	if (how % 5 == 0 && !pthread_create(&thread, NULL, nothing, NULL)) {
		atomic_fetch_add(&counts->threads, 1);
		pthread_join(thread, NULL);
	}
	leave(how % 8);
}

/* A child, with one of its own that is waited for, left behind, or killed with it. */
static _Noreturn void branch(unsigned int how)
{
	pid_t below = make();

	if (!below) {
		if (how % 4 == 1)
			usleep(1000);
		/*
		 * It is killed before it makes a thread: a thread that is half made could
		 * not be counted.
		 */
		while (how % 4 == 2)
			pause();
		leaf(how / 4);
	}
	if (below > 0 && how % 4 == 2) {
		kill(below, SIGKILL);
		raise(SIGKILL);
	}
	if (how % 4 == 3)
		waitpid(below, NULL, 0);
	leaf(how / 8);
}

static _Noreturn void forker(unsigned int seed, uint64_t end_ns)
{
	while (clock_now() < end_ns || (counts->processes < LEAST && patience_lasts())) {
		pid_t pid;

		seed = seed * 1103515245 + 12345;
		pid = make();
		if (!pid) {
			if (seed >> 16 & 1)
				leaf(seed >> 20);
			branch(seed >> 20);
		}
		waitpid(pid, NULL, 0);
	}
	leave(0);
}

/* The forkers and all of their descendants are in one group, that of the first. */
static void start_forkers(uint64_t end_ns)
{
	unsigned int i;

	for (i = 0; i < FORKERS; i++) {
		pid_t pid = make();

		/* Parent and child both set it, so that it is set whoever comes first. */
		setpgid(pid, group);
		if (!pid)
			forker(i, end_ns);
		if (!group)
			group = pid;
	}
}

/*
 * The command.  It ends when all of its descendants have ended.  Orphans are not its
 * children; kill(2) finds them in the group until they have been waited for.
 */
static int storm(const char *name, unsigned long seconds)
{
	uint64_t end_ns = clock_now() + seconds * 1000000000;
	FILE *file;

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		return 1;
	start_forkers(end_ns);
	while (wait(NULL) > 0)
		;
	while (!kill(-group, 0) && patience_lasts())
		clock_sleep(MS);
	file = fopen(name, "w");
	if (!file)
		return 1;
	fprintf(file, "%lu %lu %lu\n", counts->processes, counts->threads, counts->cpu_ns);
	return fclose(file) ? 1 : 0;
}

/* The value of the first member with this name behind "children". */
static uint64_t reported(const char *report, const char *name)
{
	const char *children = strstr(report, "\"children\""), *member;

	member = children ? strstr(children, name) : NULL;
	return member ? strtoull(member + strlen(name), NULL, 10) : UINT64_MAX;
}

static void read_file(const char *name, char *text, size_t size)
{
	FILE *file = fopen(name, "r");
	size_t length;

	if (!file)
		tap_bail("%s is not there", name);
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
}

/* The storm's own counts. */
struct said {
	unsigned long processes, threads, cpu_ns;
};

static uint64_t least_cpu(const struct said *said)
{
	return said->cpu_ns / 10 * 9;
}

static void read_both(char *report, size_t size, struct said *said)
{
	char made[128];

	read_file("report", report, size);
	read_file("made", made, sizeof(made));
	if (sscanf(made, "%lu %lu %lu", &said->processes, &said->threads, &said->cpu_ns) != 3)
		tap_bail("the storm has not counted");
}

static void compare(const char *report, const struct said *said)
{
	tap_diag("%lu processes, %lu threads", said->processes, said->threads);
	tap_at_least(said->processes, LEAST, "it was a storm");
	tap_ok(strstr(report, "\"pending\":false") != NULL, "all totals were final");
	tap_equal(reported(report, "\"threads\":"), said->threads, "every thread is counted once");
	/* The processes read another clock of the kernel, which counts interrupts differently. */
	tap_at_least(reported(report, "\"cpu_time_ns\":"), least_cpu(said),
		     "their CPU time is what they have seen, at least");
}

int main(int argc, char **argv)
{
	static char report[65536];
	char folder[] = "/tmp/taskrt-storm-XXXXXX", command[1024];
	unsigned long seconds = tap_setting("TASKRT_STORM_SECONDS", 5);
	struct said said;
	int status;

	if (argc == 2)
		return storm(argv[1], seconds);
	if (!mkdtemp(folder) || chdir(folder))
		tap_bail("no folder");
	snprintf(command, sizeof(command), "taskrt run --json --output report %s made", argv[0]);
	/*
	 * An emulator's host may stop the machine between the two clocks' readings of
	 * some switches, but not of so many every time.
	 */
	do {
		status = system(command);
		read_both(report, sizeof(report), &said);
	} while (!status && reported(report, "\"cpu_time_ns\":") < least_cpu(&said) &&
		 patience_lasts());
	tap_equal((uint64_t)status, 0, "run has the status of the command");
	compare(report, &said);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	tap_ok(!system(command), "all is removed");
	return tap_done();
}
