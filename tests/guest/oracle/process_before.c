// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a process has done before it was tracked: the kernel's totals of its ended threads
 * and of the children that it had waited for are counted, and what the kernel does not sum,
 * the time that they queued, is not measured.
 * TASKRT_TEST_ROUNDS: how often accounting is switched off and on beside a process that creates
 * threads (5).
 */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "patience.h"
#include "raw.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

#define BURN	(20 * MS)
#define PAGES	64

static struct taskrt *handle;

/* A process that tells when it has come to rest, and goes on when it is told to. */
struct subject {
	pid_t pid;
	int ready[2], go[2];
};

static void *use_some(void *unused)
{
	volatile char *area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < PAGES; i++)
		area[i * 4096] = 1;
	clock_burn(BURN);
	clock_sleep(MS);
	return unused;
}

static int own_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	int count = 0;

	while (tasks && (entry = readdir(tasks)))
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}

/* A thread comes and goes; the kernel releases it only after it was joined. */
static void thread_once(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, use_some, NULL);
	pthread_join(thread, NULL);
	while (own_threads() != 1 && patience_lasts())
		clock_sleep(MS);
}

static void wait_for_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		use_some(NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void tell(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(1);
}

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(1);
}

/* Does before(), rests, does after(), rests, and ends. */
static void subject_start(struct subject *subject, void (*before)(void), void (*after)(void))
{
	if (pipe(subject->ready) || pipe(subject->go))
		tap_bail("pipe");
	subject->pid = fork();
	if (subject->pid < 0)
		tap_bail("fork");
	if (!subject->pid) {
		use_some(NULL);
		before();
		tell(subject->ready[1]);
		await(subject->go[0]);
		after();
		tell(subject->ready[1]);
		await(subject->go[0]);
		_exit(0);
	}
	await(subject->ready[0]);
}

static void subject_go_on(struct subject *subject)
{
	tell(subject->go[1]);
	await(subject->ready[0]);
}

/* After its last switch: the kernel takes its numbers in wait(2). */
static void subject_end(struct subject *subject)
{
	struct taskrt_reading reading;
	siginfo_t info;

	tell(subject->go[1]);
	if (waitid(P_PID, subject->pid, &info, WEXITED | WNOWAIT))
		tap_bail("waitid");
	do
		window_process(handle, subject->pid, &reading);
	while (reading.stats.threads && patience_lasts());
	waitpid(subject->pid, NULL, 0);
}

static void nothing(void)
{
}

static void *end_at_once(void *unused)
{
	return unused;
}

static void *create_for_ever(void *unused)
{
	pthread_t thread;

	while (!pthread_create(&thread, NULL, end_at_once, NULL))
		pthread_join(thread, NULL);
	return unused;
}

/* A thread has ended, and others are created all the time. */
static void stay_busy(void)
{
	pthread_t thread;

	thread_once();
	pthread_create(&thread, NULL, create_for_ever, NULL);
}

/*
 * It gets its record with a thread that it creates, or when the module looks at all tasks.
 * Threads that end amid that may be missing, of thousands that had ended before.
 */
static void check_busy(const struct subject *busy)
{
	const unsigned long rounds = tap_setting("TASKRT_TEST_ROUNDS", 5);
	struct taskrt_reading reading;
	unsigned long i;
	unsigned int less = 0;
	uint64_t used;
	clockid_t id;

	if (clock_getcpuclockid(busy->pid, &id))
		tap_bail("the clock of a process");
	for (i = 0; i < rounds; i++) {
		module_must_set("enabled", "0");
		module_must_set("enabled", "1");
		used = clock_of(id);
		window_process(handle, busy->pid, &reading);
		less += reading.stats.cpu_time_ns < used / 4 * 3;
	}
	if (thread_kernel_is_rt())
		tap_skip("what a process that creates threads did before",
			 "on PREEMPT_RT the kernel's sums may not be readable at that moment");
	else
		tap_equal(less, 0, "creating threads meanwhile: what it did before counts");
}

static int knows_queue(const struct taskrt_reading *reading)
{
	if (!(reading->stats.valid & TASKRT_VALID_QUEUE_TIME) && reading->stats.queue_time_ns)
		tap_bail("a queue time that is not valid is not 0");
	return !!(reading->stats.valid & TASKRT_VALID_QUEUE_TIME);
}

static void check_version_1(pid_t pid, int known, const char *name)
{
	struct raw_answer answer;
	struct raw raw;

	if (raw_open(&raw) || raw_get(&raw, TASKRT_A_TGID, pid, 1, &answer))
		tap_bail("no answer in version 1");
	tap_equal(knows_queue(&answer.last.reading), known, "%s: so does version 1", name);
	raw_close(&raw);
}

static void check_process(const struct subject *subject, int known, uint64_t least,
			  const char *name)
{
	struct taskrt_reading reading;

	window_process(handle, subject->pid, &reading);
	tap_equal(reading.stats.flags & (TASKRT_FLAG_PREEXISTING | TASKRT_FLAG_INCOMPLETE),
		  TASKRT_FLAG_PREEXISTING, "%s: it is older than its record, and complete", name);
	tap_equal(knows_queue(&reading), known, "%s: knows its queue time: %d", name, known);
	tap_at_least(reading.stats.cpu_time_ns, least, "%s: CPU time since creation", name);
	check_version_1(subject->pid, known, name);
	window_thread(handle, subject->pid, &reading);
	tap_ok(knows_queue(&reading), "%s: a thread knows its queue time", name);
}

static void children_of(pid_t pid, struct taskrt_reading *reading)
{
	do
		if (window_ask(handle, TASKRT_ENTITY_CHILDREN, pid, reading))
			tap_bail("children of %d: %s", pid, taskrt_error(handle));
	while (reading->stats.flags & TASKRT_FLAG_PENDING && patience_lasts());
}

/* The kernel's CPU time of all children, in whole microseconds. */
static uint64_t used_by_children(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SEC +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * US;
}

static void check_children(uint64_t least, const char *name)
{
	struct taskrt_reading reading;
	struct rusage usage;

	children_of(0, &reading);
	getrusage(RUSAGE_CHILDREN, &usage);
	tap_equal(VALUE(reading, MINOR_FAULTS), usage.ru_minflt, "%s: minor faults", name);
	tap_equal(VALUE(reading, MAJOR_FAULTS), usage.ru_majflt, "%s: major faults", name);
	tap_equal(VALUE(reading, VOLUNTARY_SWITCHES), usage.ru_nvcsw, "%s: switches", name);
	tap_equal(VALUE(reading, INVOLUNTARY_SWITCHES), usage.ru_nivcsw,
		  "%s: involuntary switches", name);
	tap_at_least(reading.stats.cpu_time_ns, least, "%s: CPU time", name);
	tap_ok(!knows_queue(&reading), "%s: their queue time is not known", name);
}

static void check_no_children(const struct subject *subject)
{
	struct taskrt_reading reading;

	children_of(subject->pid, &reading);
	tap_equal(reading.stats.cpu_time_ns + VALUE(reading, MINOR_FAULTS), 0,
		  "no children: nothing");
	tap_ok(knows_queue(&reading), "no children: all of it is known");
}

int main(void)
{
	struct subject threaded, plain, parent, busy;
	uint64_t used;

	handle = window_open();
	/* The kernel's totals of these children are in ours, which are exact. */
	wait_for_child();
	subject_start(&threaded, thread_once, thread_once);
	subject_start(&plain, nothing, thread_once);
	subject_start(&parent, wait_for_child, nothing);
	module_must_set("enabled", "0");
	module_must_set("enabled", "1");

	check_process(&threaded, 0, 2 * BURN, "a thread ended before");
	check_process(&plain, 1, BURN, "none ended before");
	used = used_by_children();
	check_children(used, "children before");
	check_no_children(&plain);

	subject_go_on(&threaded);
	check_process(&threaded, 0, 2 * BURN, "another ended since");
	subject_go_on(&plain);
	check_process(&plain, 1, BURN, "the first ended since");

	subject_go_on(&parent);
	subject_end(&parent);
	check_children(used + 2 * BURN, "a parent's children before");
	kill(threaded.pid, SIGKILL);
	kill(plain.pid, SIGKILL);
	subject_start(&busy, stay_busy, nothing);
	check_busy(&busy);
	kill(busy.pid, SIGKILL);
	taskrt_close(handle);
	return tap_done();
}
