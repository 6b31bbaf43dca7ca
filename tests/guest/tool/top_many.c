// SPDX-License-Identifier: GPL-2.0-only
/*
 * taskrt top among thousands of threads: each is counted, those that do something
 * are found, and a look at all of them is quick and takes a known amount of memory.
 *
 * TASKRT_TOP_THREADS: how many, where there is memory for them (2000, or as many as
 * a slow machine makes in three seconds).
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "load.h"
#include "tap.h"
#include "thread.h"

#define ROUNDS		3
#define FEWEST		100	/* threads, however slow the machine */
#define THREAD_KIB	48	/* what one takes, with its stacks and records */

static sem_t end;
static volatile int spinning = 1;

static void *wait_end(void *unused)
{
	sem_wait(&end);
	return unused;
}

static void spin(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "top_spinner");
	while (spinning)
		;
}

/* A thread with a scheduling class of its own, mostly asleep. */
static void be_fifo(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "top_fifo");
	thread_fifo(30);
	while (spinning)
		clock_sleep(10 * MS);
}

static unsigned long available_kib(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long kib = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

static void raise_limit(const char *name, unsigned long value)
{
	FILE *file = fopen(name, "r+");
	unsigned long now;

	if (!file)
		return;
	if (fscanf(file, "%lu", &now) == 1 && now < value) {
		rewind(file);
		fprintf(file, "%lu\n", value);
	}
	fclose(file);
}

/*
 * Starts threads whose stacks are in one mapping, and so small that most of the memory is
 * the kernel's.  Starts none after end_ns.
 */
static unsigned long start(unsigned long count, uint64_t end_ns)
{
	size_t size = (size_t)sysconf(_SC_THREAD_STACK_MIN) + 4096;
	pthread_attr_t attributes;
	unsigned long i;
	pthread_t id;
	char *stacks;

	size = (size + 0xffff) & ~(size_t)0xffff;
	stacks = mmap(NULL, count * size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED)
		tap_bail("no room for %lu stacks", count);
	madvise(stacks, count * size, MADV_NOHUGEPAGE);
	pthread_attr_init(&attributes);
	for (i = 0; i < count && (i < FEWEST || clock_now() < end_ns); i++) {
		pthread_attr_setstack(&attributes, stacks + i * size, size);
		if (pthread_create(&id, &attributes, wait_end, NULL))
			break;
		pthread_detach(id);
	}
	return i;
}

struct run {
	int status;
	uint64_t user_ms, system_ms;
	unsigned long kib;	/* the most memory that was seen */
	char text[65536];
};

/* ru_maxrss would be ours, from before the exec. */
static void note_memory(struct run *run, pid_t pid)
{
	char name[64], line[128];
	unsigned long kib;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	file = fopen(name, "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %lu", &kib) == 1 && kib > run->kib)
			run->kib = kib;
	if (file)
		fclose(file);
}

static uint64_t to_ms(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_usec / 1000;
}

/* Runs the command, and keeps its output. */
static void run(struct run *run, const char *options)
{
	char command[256];
	struct rusage usage;
	size_t used = 0;
	ssize_t got;
	int ends[2];
	pid_t pid;

	snprintf(command, sizeof(command), "exec taskrt top %s", options);
	if (pipe(ends) || (pid = fork()) < 0)
		tap_bail("fork: %s", strerror(errno));
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	close(ends[1]);
	run->kib = 0;
	while ((got = read(ends[0], run->text + used, sizeof(run->text) - 1 - used)) > 0) {
		used += (size_t)got;
		note_memory(run, pid);
	}
	run->text[used] = '\0';
	close(ends[0]);
	wait4(pid, &run->status, 0, &usage);
	run->user_ms = to_ms(&usage.ru_utime);
	run->system_ms = to_ms(&usage.ru_stime);
}

/* The fewest threads of all rounds. Return: how many rounds there were. */
static unsigned int rounds(const char *text, unsigned long *fewest)
{
	unsigned int count = 0;
	unsigned long threads;

	for (*fewest = -1UL; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (sscanf(text, "at %*f: %lu threads", &threads) != 1)
			continue;
		if (threads < *fewest)
			*fewest = threads;
		count++;
	}
	return count;
}

/* A line of the table. Return: 1: it is one whose shares are known. */
static int shares(const char *line, double *sum, double *cpu)
{
	double s[7];

	/* A real-time class has two words. */
	if (sscanf(line, "%*u %*u %*s %*s %*[a-z_] %lf %lf %lf %lf %lf %lf %lf", s, s + 1, s + 2,
		   s + 3, s + 4, s + 5, s + 6) != 7 &&
	    sscanf(line, "%*u %*u %*s %*s %*d %*[a-z_] %lf %lf %lf %lf %lf %lf %lf", s, s + 1,
		   s + 2, s + 3, s + 4, s + 5, s + 6) != 7)
		return 0;
	*cpu = s[0];
	*sum = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6];
	return 1;
}

/* Does the line of the spinner show a large share of a CPU? */
static int is_spinner_seen(const char *text)
{
	const char *line = strstr(text, "top_spinner");
	double sum, cpu;

	while (line && line > text && line[-1] != '\n')
		line--;
	return line && shares(line, &sum, &cpu) && cpu > 20;
}

static uint64_t look_ms(const struct run *top)
{
	return (top->user_ms + top->system_ms) / (ROUNDS + 1);
}

/*
 * each_us: the time that it took to make one thread, which tells how fast this machine is.
 * A look that takes too long is repeated, because that may have changed.
 */
static void check_load(unsigned long threads, uint64_t each_us)
{
	uint64_t patience = clock_now() + CLOCK_PATIENCE, most = 500 + threads * each_us * 5 / 1000;
	static struct run top;
	unsigned long fewest;

	do
		run(&top, "-b -n 3 -d 1 -l 5");
	while ((look_ms(&top) > most || !top.kib || !is_spinner_seen(top.text)) && clock_now() < patience);
	tap_equal((uint64_t)top.status, 0, "top ends well");
	tap_equal(rounds(top.text, &fewest), ROUNDS, "as many rounds as requested");
	tap_at_least(fewest, threads, "each thread is counted, in every round");
	tap_ok(is_spinner_seen(top.text), "the thread that computes is among the first");
	tap_diag("%lu threads, made in %llu us each: a look takes %llu ms of CPU time, %llu of these in the kernel; top %lu KiB",
		 threads, (unsigned long long)each_us, (unsigned long long)look_ms(&top),
		 (unsigned long long)top.system_ms / (ROUNDS + 1), top.kib);
	tap_at_most(look_ms(&top), most,
		    "a look takes at most as long as making five times as many");
	tap_at_least(top.kib, threads / 2, "it has them in memory");
	tap_at_most(top.kib, 16384 + threads * 2, "two kilobytes a thread, at most");
}

static void check_rt(void)
{
	static struct run top;
	const char *line;

	run(&top, "-1 --rt -d 0.5 --sort sleep");
	tap_equal((uint64_t)top.status, 0, "--rt: top ends well");
	line = strstr(top.text, "top_fifo");
	tap_ok(line != NULL, "--rt: the real-time thread is there");
	tap_ok(strstr(top.text, " FF 30 ") != NULL, "--rt: with its priority");
	tap_ok(!strstr(top.text, "top_spinner") && !strstr(top.text, " TS "),
	       "--rt: and no other class");
}

/* Threads and processes come and go, also in the middle of a list. */
static void check_churn(void)
{
	static struct run top;
	unsigned int known = 0, wrong = 0;
	unsigned long fewest;
	const char *line;
	double sum, cpu;

	load_start(LOAD_THREADS | LOAD_FORK);
	run(&top, "-b -n 8 -d 0.3 -l 60");
	load_stop();
	tap_equal((uint64_t)top.status, 0, "churn: top ends well");
	tap_equal(rounds(top.text, &fewest), 8, "churn: as many rounds as requested");
	for (line = top.text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!shares(line, &sum, &cpu))
			continue;
		known++;
		wrong += sum > 100.05;
	}
	tap_at_least(known, 100, "churn: lines");
	tap_equal(wrong, 0, "churn: no line has more than 100 percent");
}

int main(void)
{
	unsigned long wanted = tap_setting("TASKRT_TOP_THREADS", 0), room, threads;
	uint64_t patience = wanted ? 600 * SEC : 3 * SEC, began, made;
	struct thread spinner, fifo;

	wanted = wanted ? wanted : 2000;
	room = available_kib() / 2 / THREAD_KIB;
	if (wanted > room)
		wanted = room;
	raise_limit("/proc/sys/kernel/threads-max", 2 * wanted + 10000);
	raise_limit("/proc/sys/kernel/pid_max", 2 * wanted + 10000);
	sem_init(&end, 0, 0);
	thread_start(&spinner, spin, NULL);
	thread_start(&fifo, be_fifo, NULL);
	began = clock_now();
	threads = start(wanted, began + patience);
	made = clock_now() - began;
	tap_at_least(threads, made > patience ? FEWEST : wanted, "there are %lu threads", threads);
	check_load(threads + 3, made / (threads + 1) / US);
	check_rt();
	check_churn();
	spinning = 0;
	thread_join(&spinner);
	thread_join(&fifo);
	return tap_done();
}
