// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreement with what the kernel itself reports: getrusage, the thread's CPU clock,
 * schedstat and sched in /proc.  Counts have to be equal, times within 10 % and 5 ms: the
 * kernel charges a switch to the one side or the other at another instant than the module,
 * and subtracts interrupts where it can.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define SLACK	(5 * MS)

/* ns on the CPU, and waiting for one */
struct schedstat {
	uint64_t run, delay;
};

struct oracle {
	struct rusage usage;
	struct schedstat stat;
	uint64_t cpu_ns;
	uint64_t voluntary, involuntary;	/* /proc/TID/sched */
};

static struct window window;
static struct oracle before, after;

static void read_text(pid_t tid, const char *file, char *text, size_t size)
{
	char path[64];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", tid, tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = 0;
}

static uint64_t sched_value(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	line = line ? strchr(line, ':') : NULL;
	return line ? strtoull(line + 1, NULL, 10) : 0;
}

static void read_schedstat(pid_t tid, struct schedstat *stat)
{
	unsigned long long run = 0, delay = 0;
	char text[4096];

	read_text(tid, "schedstat", text, sizeof(text));
	sscanf(text, "%llu %llu", &run, &delay);
	*stat = (struct schedstat){ run, delay };
}

static void ask_oracles(struct oracle *oracle)
{
	char text[8192];

	read_text(gettid(), "sched", text, sizeof(text));
	oracle->voluntary = sched_value(text, "nr_voluntary_switches");
	oracle->involuntary = sched_value(text, "nr_involuntary_switches");
	read_schedstat(gettid(), &oracle->stat);
	getrusage(RUSAGE_THREAD, &oracle->usage);
	oracle->cpu_ns = clock_of(CLOCK_THREAD_CPUTIME_ID);
}

static int same_counts(const struct oracle *a, const struct oracle *b)
{
	return a->usage.ru_minflt == b->usage.ru_minflt &&
	       a->usage.ru_majflt == b->usage.ru_majflt &&
	       a->usage.ru_nvcsw == b->usage.ru_nvcsw &&
	       a->usage.ru_nivcsw == b->usage.ru_nivcsw &&
	       a->voluntary == b->voluntary && a->involuntary == b->involuntary;
}

/*
 * Reads the kernel's numbers before and after our answer, until nothing was counted in
 * between.
 */
static void ask_undisturbed(struct taskrt *handle, struct oracle *oracle, struct taskrt_reading *reading)
{
	struct oracle again;

	do {
		ask_oracles(oracle);
		window_thread(handle, 0, reading);
		ask_oracles(&again);
		if (same_counts(oracle, &again))
			return;
	} while (patience_lasts());
	tap_bail("this thread is never left alone for a moment");
}

/* Where the kernel watches itself, the answers take longer than the rival waits for the CPU. */
static void ask_all(struct taskrt *handle, struct oracle *oracle, struct taskrt_reading *reading)
{
	thread_fifo(1);
	ask_undisturbed(handle, oracle, reading);
	thread_other();
}

/* Enough rounds for the rival to delay the thread. */
#define ROUNDS		50
#define LEAST_ROUNDS	20

static int rounds = ROUNDS;

/* Some of everything: computing, faults, sleeps, and a rival for the CPU. */
static void work(void)
{
	volatile char *area = mmap(NULL, 64 * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int round, i;

	for (round = 0; round < rounds; round++) {
		madvise((void *)area, 64 * 4096, MADV_DONTNEED);
		for (i = 0; i < 64; i++)
			area[i * 4096] = 1;
		clock_burn(4 * MS);
		clock_sleep(MS);
		sched_yield();
	}
	munmap((void *)area, 64 * 4096);
}

static volatile int stop;

static void rival(void *unused)
{
	(void)unused;
	thread_pin(0);
	while (!stop)
		;
}

static void observed(void *unused)
{
	struct taskrt *handle = window_open();

	(void)unused;
	thread_pin(0);
	ask_all(handle, &before, &window.before);
	work();
	ask_all(handle, &after, &window.after);
	taskrt_close(handle);
}

static int near(uint64_t value, uint64_t oracle)
{
	uint64_t slack = oracle / 10 + SLACK;

	return value + slack >= oracle && value <= oracle + slack;
}

static void close_to(uint64_t value, uint64_t oracle, const char *name)
{
	tap_ok(near(value, oracle), "%s: %llu, the kernel says %llu", name,
	       (unsigned long long)value, (unsigned long long)oracle);
}

static void check_counts(void)
{
	const struct taskrt_reading *reading = &window.after;

	tap_equal(VALUE(*reading, MINOR_FAULTS), after.usage.ru_minflt,
		  "minor faults as getrusage");
	tap_equal(VALUE(*reading, MAJOR_FAULTS), after.usage.ru_majflt,
		  "major faults as getrusage");
	tap_equal(VALUE(*reading, VOLUNTARY_SWITCHES), after.usage.ru_nvcsw,
		  "voluntary switches as getrusage");
	tap_equal(VALUE(*reading, INVOLUNTARY_SWITCHES), after.usage.ru_nivcsw,
		  "involuntary switches as getrusage");
	tap_equal(VALUE(*reading, VOLUNTARY_SWITCHES), after.voluntary,
		  "voluntary switches as /proc sched");
	tap_equal(VALUE(*reading, INVOLUNTARY_SWITCHES), after.involuntary,
		  "involuntary switches as /proc sched");
}

#define DELAYED	(50 * MS)

static int times_agree(void)
{
	taskrt_diff(&window.before, &window.after, &window.delta, sizeof(window.delta));
	return near(window.delta.stats.cpu_time_ns, after.stat.run - before.stat.run) &&
	       near(window.delta.stats.cpu_time_ns, after.cpu_ns - before.cpu_ns) &&
	       near(window.delta.stats.queue_time_ns, after.stat.delay - before.stat.delay) &&
	       after.stat.delay - before.stat.delay >= DELAYED;
}

static void check_times(void)
{
	uint64_t run = after.stat.run - before.stat.run;
	uint64_t delay = after.stat.delay - before.stat.delay;

	close_to(window.delta.stats.cpu_time_ns, after.cpu_ns - before.cpu_ns,
		 "cpu_time, CPU clock");
	close_to(window.delta.stats.cpu_time_ns, run, "cpu_time, schedstat");
	close_to(window.delta.stats.queue_time_ns, delay, "queue_time, schedstat");
	tap_at_least(delay, DELAYED, "the rival made it wait");
}

/*
 * Since 6.12 (DELAY_DEQUEUE) a task that goes to sleep may stay on its run queue
 * for a while, and where the load balancer then takes it to another CPU, it is
 * queued there anew as if it could run: the kernel's run_delay gets the whole
 * rest of its sleep.
 */
static int delays_dequeue(void)
{
	static const char on[] = " DELAY_DEQUEUE";
	unsigned int major, minor;
	struct utsname name;
	char text[4096] = " ";
	ssize_t n = -1;
	int fd = open("/sys/kernel/debug/sched/features", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text + 1, sizeof(text) - 2);
		close(fd);
	}
	if (n > 0) {
		text[1 + n] = 0;
		return strstr(text, on) != NULL;
	}
	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		tap_bail("a kernel without a version");
	return major > 6 || (major == 6 && minor >= 12);
}

static unsigned int compared, apart;
static int delay_may_be_more;

/*
 * On a machine whose clocks are emulated only a quite different amount is an error.
 * Kernel threads do little but switch; the kernel reads its clock before it chooses the
 * next task, and the module reads its own after that.  So there is no lower bound for such
 * small amounts.
 */
static int not_far_above(uint64_t value, uint64_t oracle, uint64_t stopped)
{
	return value <= oracle + oracle / 2 + 20 * SLACK + stopped;
}

/*
 * An emulator's host may stop the machine between the two clocks' readings of a switch, a
 * few times in the life of a thread.  Then either the kernel or the module counts that
 * time as running or queued, and the module reports the longest such interval.
 */
static uint64_t stopped_for(const struct taskrt_reading *reading)
{
	return 4 * (reading->longests.states[TASKRT_STATE_RUNNING].ns +
		    reading->longests.states[TASKRT_STATE_PREEMPTED].ns +
		    reading->longests.states[TASKRT_STATE_WOKEN].ns);
}

/* Are the module's totals between two answers of the kernel, or close to its only one? */
static int agrees(const struct taskrt_reading *reading, const struct schedstat *before,
		  const struct schedstat *after)
{
	uint64_t stopped = stopped_for(reading);

	return not_far_above(before->run, reading->stats.cpu_time_ns, stopped) &&
	       not_far_above(reading->stats.cpu_time_ns, after->run, stopped) &&
	       (delay_may_be_more ||
		not_far_above(before->delay, reading->stats.queue_time_ns, stopped)) &&
	       not_far_above(reading->stats.queue_time_ns, after->delay, stopped);
}

/*
 * The kernel is asked after the module.  A thread that ran or waited meanwhile, or that a
 * busy host held back, is queried once more, between two answers of the kernel.
 */
static int agrees_at_last(struct taskrt *handle, struct taskrt_reading *reading,
			  struct schedstat *now)
{
	struct schedstat before = *now;

	if (agrees(reading, now, now))
		return 1;
	if (window_ask(handle, TASKRT_ENTITY_THREAD, reading->stats.tid, reading))
		return 1;
	read_schedstat(reading->stats.tid, now);
	return !now->run || agrees(reading, &before, now);
}

static int compare_other(const struct taskrt_reading *dumped, void *handle)
{
	struct taskrt_reading copy = *dumped, *reading = &copy;
	struct schedstat now;

	read_schedstat(reading->stats.tid, &now);
	if (!now.run || reading->stats.flags & TASKRT_FLAG_KTHREAD)
		return 0;
	compared++;
	if (agrees_at_last(handle, reading, &now))
		return 0;
	apart++;
	tap_diag("%u %s: cpu %llu, schedstat %llu; queue %llu, schedstat %llu", reading->stats.tid,
		 reading->stats.comm, reading->stats.cpu_time_ns, (unsigned long long)now.run,
		 reading->stats.queue_time_ns, (unsigned long long)now.delay);
	window_print(reading);
	return 0;
}

static void check_everybody(void)
{
	struct taskrt *handle = window_open(), *other = window_open();
	int err;

	delay_may_be_more = delays_dequeue();
	tap_diag("run_delay of others is %s", delay_may_be_more ? "an upper bound" : "exact");
	/* A handle can have one query at a time. */
	err = window_each(handle, 0, compare_other, other);
	if (err)
		tap_bail("dump: %s", taskrt_error(handle));
	taskrt_close(other);
	taskrt_close(handle);
	tap_at_least(compared, 3, "others can be compared");
	tap_equal(apart, 0, "cpu and queue time of all threads, older ones included");
}

int main(void)
{
	struct thread competitor, thread;

	thread_start(&competitor, rival, NULL);
	/*
	 * An emulator's host may stop the machine between the two clocks' readings
	 * of one switch, but not every time, and less often where there are fewer.
	 */
	for (;;) {
		thread_start(&thread, observed, NULL);
		thread_join(&thread);
		if (times_agree() || !patience_lasts())
			break;
		rounds = rounds > LEAST_ROUNDS ? rounds - 5 : ROUNDS;
	}
	stop = 1;
	thread_join(&competitor);
	check_counts();
	check_times();
	check_everybody();
	return tap_done();
}
