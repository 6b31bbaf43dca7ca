// SPDX-License-Identifier: GPL-2.0-only
/*
 * The identity in a record: names, users, status and CPU.  A record comes before anybody
 * has waited for the task, equals what GET says of the zombie, and includes the time that
 * the release of the address space took.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "listener.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "totals.h"
#include "window.h"

#define MOST	16

struct told {
	struct listener_record threads[MOST], process;
	unsigned int nr_threads, nr_processes;
	pid_t tgid;
};

static struct taskrt *handle;

static void note(const struct listener_record *record, void *arg)
{
	struct told *told = arg;

	if (record->reading.stats.tgid != (uint32_t)told->tgid)
		return;
	if (record->process) {
		told->process = *record;
		told->nr_processes++;
	} else if (told->nr_threads < MOST) {
		told->threads[told->nr_threads++] = *record;
	}
}

/* Forks a process that runs fn, leaves it a zombie, and returns the record. */
static void tell_of(struct told *told, void (*fn)(void))
{
	struct listener listener;
	siginfo_t info;

	memset(told, 0, sizeof(*told));
	listener_open(&listener, note, told);
	listener_listen(&listener, &(struct listener_filter){ .groups = EVERY_GROUP });
	told->tgid = fork();
	if (!told->tgid)
		fn();
	if (waitid(P_PID, told->tgid, &info, WEXITED | WNOWAIT))
		tap_bail("waitid: %s", strerror(errno));
	listener_until(&listener, told->tgid);
	if (listener.wrong)
		tap_bail("a broken promise");
	listener_close(&listener);
}

static const struct taskrt_reading *thread_of(const struct told *told, const char *comm)
{
	unsigned int i;

	for (i = 0; i < told->nr_threads; i++)
		if (!strcmp(told->threads[i].reading.stats.comm, comm))
			return &told->threads[i].reading;
	tap_bail("no record of a thread %s", comm);
}

static void *named_thread(void *unused)
{
	static const struct ask_who user = { ASK_USER, ASK_USER, ASK_OTHER, 0 };

	(void)unused;
	prctl(PR_SET_NAME, "the-thread");
	/* The raw system calls change this thread alone. */
	syscall(SYS_setresgid, user.gid, user.gid, user.gid);
	syscall(SYS_setresuid, user.uid, user.uid, user.uid);
	syscall(SYS_exit, 0);
	return NULL;
}

static void two_on_last_cpu(void)
{
	pthread_t thread;

	thread_pin(sysconf(_SC_NPROCESSORS_ONLN) - 1);
	prctl(PR_SET_NAME, "the-leader");
	pthread_create(&thread, NULL, named_thread, NULL);
	pthread_join(thread, NULL);
	_exit(42);
}

static void check_pair(const struct taskrt_reading *thread, const struct taskrt_reading *process)
{
	tap_equal(thread->stats.tgid, process->stats.tgid, "thread: its tgid");
	tap_ok(thread->stats.tid && thread->stats.tid != thread->stats.tgid,
	       "thread: a tid of its own");
	tap_equal(thread->stats.uid, ASK_USER, "thread: its own uid");
	tap_equal(thread->stats.gid, ASK_OTHER, "thread: its own gid");
	tap_equal(process->stats.uid, 0, "process: the leader's uid");
	tap_equal(process->stats.gid, 0, "process: the leader's gid");
	tap_ok(!strcmp(process->stats.comm, "the-leader"), "process: the leader's name");
	tap_equal(process->stats.ppid, getpid(), "process: its parent");
	tap_equal(thread->stats.ppid, getpid(), "thread: the same parent");
	tap_equal(process->stats.exit_code, 42 << 8, "process: its status as wait reports it");
	tap_equal(thread->stats.exit_code, 0, "thread: its own");
	tap_equal(process->stats.threads_gone, 2, "process: two threads");
	tap_equal(process->stats.threads, 0, "process: none of them lives");
	tap_at_least(thread->stats.start_time_ns, process->stats.start_time_ns,
		     "thread: begins later");
	tap_equal(thread->stats.valid & TASKRT_VALID_IDENTITY & process->stats.valid,
		  TASKRT_VALID_IDENTITY,
		  "both have their identity");
}

static void identity(void)
{
	struct told told;
	const struct taskrt_reading *leader;
	unsigned int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1, i;

	tell_of(&told, two_on_last_cpu);
	tap_equal(told.nr_threads, 2, "the records of two threads");
	tap_equal(told.nr_processes, 1, "and of one process, while it is a zombie");
	check_pair(thread_of(&told, "the-thread"), &told.process.reading);
	leader = thread_of(&told, "the-leader");
	tap_equal(leader->stats.tid, told.tgid, "leader: tid is tgid");
	tap_equal(leader->stats.start_time_ns, told.process.reading.stats.start_time_ns,
		  "leader: begins with the process");
	for (i = 0; i < told.nr_threads; i++)
		tap_equal(told.threads[i].cpu, cpu, "thread %u: on its CPU", i);
	tap_equal(told.process.cpu, cpu, "process: on its last thread's CPU");
	waitpid(told.tgid, NULL, 0);
}

static void same(const struct taskrt_reading *told, const struct taskrt_reading *asked,
		 const char *what)
{
	tap_ok(totals_exceed(told, asked, what) < 0 && totals_exceed(asked, told, what) < 0,
	       "%s: the totals", what);
	tap_equal(told->stats.start_time_ns, asked->stats.start_time_ns, "%s: the beginning", what);
	tap_equal(told->stats.exit_code, asked->stats.exit_code, "%s: the status", what);
	tap_equal(told->stats.flags, asked->stats.flags, "%s: the flags", what);
	tap_ok(told->stats.tid == asked->stats.tid && told->stats.tgid == asked->stats.tgid &&
	       told->stats.ppid == asked->stats.ppid &&
	       told->stats.uid == asked->stats.uid && told->stats.gid == asked->stats.gid &&
	       !strcmp(told->stats.comm, asked->stats.comm), "%s: the identity", what);
}

static void as_the_zombie(void)
{
	struct taskrt_reading process, leader;
	struct told told;

	tell_of(&told, two_on_last_cpu);
	window_process(handle, told.tgid, &process);
	window_thread(handle, told.tgid, &leader);
	same(&told.process.reading, &process, "process as GET");
	same(thread_of(&told, "the-leader"), &leader, "leader as GET");
	tap_equal(thread_of(&told, "the-leader")->stats.sample_time_ns, leader.stats.sample_time_ns,
		  "leader as GET: the instant");
	waitpid(told.tgid, NULL, 0);
}

static void kill_oneself(void)
{
	kill(getpid(), SIGUSR1);
	_exit(1);
}

static void *wait_for_the_end(void *unused)
{
	pause();
	return unused;
}

static void killed_group(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_the_end, NULL);
	kill(getpid(), SIGKILL);
	pause();
}

static void signals(void)
{
	struct told told;

	tell_of(&told, kill_oneself);
	tap_equal(told.process.reading.stats.exit_code, SIGUSR1, "killed by a signal: its number");
	tap_equal(told.threads[0].reading.stats.exit_code, SIGUSR1, "and the thread's");
	waitpid(told.tgid, NULL, 0);
	tell_of(&told, killed_group);
	tap_equal(told.process.reading.stats.exit_code, SIGKILL, "a killed group: the signal");
	tap_equal(told.nr_threads, 2, "a killed group: both threads");
	tap_equal(told.threads[0].reading.stats.exit_code, SIGKILL, "a killed group: the first's");
	tap_equal(told.threads[1].reading.stats.exit_code, SIGKILL, "a killed group: the other's");
	waitpid(told.tgid, NULL, 0);
}

#define HEAP	(48UL << 20)

static uint64_t *used_before_exit;

static void end_with_much_memory(void)
{
	char *heap = mmap(NULL, HEAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	madvise(heap, HEAP, MADV_NOHUGEPAGE);
	for (i = 0; i < HEAP; i += 4096)
		heap[i] = 1;
	*used_before_exit = clock_of(CLOCK_THREAD_CPUTIME_ID);
	_exit(0);
}

static void end_with_little_memory(void)
{
	*used_before_exit = clock_of(CLOCK_THREAD_CPUTIME_ID);
	_exit(0);
}

/* The CPU time after the task's own last instruction, the least of several tries. */
static uint64_t used_in_exit(void (*fn)(void))
{
	uint64_t least = UINT64_MAX, used;
	struct told told;
	int i;

	for (i = 0; i < 3; i++) {
		tell_of(&told, fn);
		used = told.threads[0].reading.stats.cpu_time_ns - *used_before_exit;
		least = used < least ? used : least;
		waitpid(told.tgid, NULL, 0);
	}
	return least;
}

/* The host may stop the machine in the middle of either measurement, but not every time. */
static void teardown(void)
{
	uint64_t little, much;

	used_before_exit = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				-1, 0);
	do {
		little = used_in_exit(end_with_little_memory);
		much = used_in_exit(end_with_much_memory);
	} while (much < 2 * little && patience_lasts());
	tap_at_least(much, 2 * little, "the release of the address space counts (%llu us, %llu us)",
		     (unsigned long long)(little / US), (unsigned long long)(much / US));
}

int main(void)
{
	handle = window_open();
	identity();
	as_the_zombie();
	signals();
	teardown();
	taskrt_close(handle);
	return tap_done();
}
