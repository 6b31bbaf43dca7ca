// SPDX-License-Identifier: GPL-2.0-only
/*
 * The totals of a process when a thread other than the leader execs, when the leader ends
 * first, and at the end, with threads and without.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "patience.h"
#include "state.h"
#include "tap.h"
#include "thread.h"
#include "totals.h"
#include "window.h"

#define BURN	(20 * MS)
#define CLOCK_TOLERANCE	(5 * MS)

static struct taskrt *handle;
static const char *self_path;

static void wait_byte(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(1);
}

static void *burn_in_thread(void *unused)
{
	clock_burn(BURN);
	return unused;
}

static void burn_twice(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, burn_in_thread, NULL);
	clock_burn(BURN);
	pthread_join(thread, NULL);
}

static void *exec_from_here(void *unused)
{
	execl(self_path, "taskrt-execed", "after-exec", NULL);
	return unused;
}

/* Computes in two threads, then the one that is not the leader execs. */
static void exec_child(int go)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "before-exec");
	burn_twice();
	wait_byte(go);
	pthread_create(&thread, NULL, exec_from_here, NULL);
	for (;;)
		pause();
}

static void await_comm(pid_t pid, const char *comm, struct taskrt_reading *reading)
{
	do {
		window_process(handle, pid, reading);
		if (!patience_lasts())
			tap_bail("%d never became %s but is %s", pid, comm, reading->stats.comm);
		clock_sleep(MS);
	} while (strncmp(reading->stats.comm, comm, strlen(comm)) || reading->stats.threads != 1);
}

static void check_execed(pid_t pid, const struct taskrt_reading *before)
{
	struct taskrt_reading after, thread;
	char comm[16];

	/* The name of the file that it runs now. */
	snprintf(comm, sizeof(comm), "%s", strrchr(self_path, '/') + 1);
	await_comm(pid, comm, &after);
	tap_ok(totals_exceed(before, &after, "exec") < 0, "exec: no total decreases");
	tap_ok(totals_longest_exceed(before, &after, "exec") < 0, "exec: nor a longest");
	tap_equal(after.stats.tgid, pid, "exec: the tgid stays");
	tap_equal(after.stats.start_time_ns, before->stats.start_time_ns, "exec: and the start");
	tap_equal(after.stats.threads, 1, "exec: one thread is left");
	tap_equal(after.stats.threads_gone, before->stats.threads_gone + 1,
		  "exec: the others are gone");
	window_thread(handle, pid, &thread);
	window_process(handle, pid, &after);
	tap_equal(thread.stats.tid, pid, "exec: the survivor has the leader's tid");
	/* They have burnt twice as much, by a clock that a busy host advances sooner. */
	tap_at_most(thread.stats.cpu_time_ns, after.stats.cpu_time_ns - BURN,
		    "exec: but not the leader's totals");
	tap_ok(window_adds_up(&thread) && window_adds_up(&after), "exec: the states add up");
}

static void exec_by_non_leader(void)
{
	struct taskrt_reading before;
	int go[2];
	pid_t pid;

	if (pipe(go))
		tap_bail("pipe");
	pid = fork();
	if (!pid)
		exec_child(go[0]);
	/* Waits until the second thread has come and gone. */
	do {
		clock_sleep(5 * MS);
		window_process(handle, pid, &before);
	} while ((before.stats.threads != 1 || !before.stats.threads_gone) && patience_lasts());
	if (write(go[1], "g", 1) != 1)
		tap_bail("write");
	check_execed(pid, &before);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(go[0]);
	close(go[1]);
}

static void *burn_for_ever(void *unused)
{
	for (;;)
		clock_burn(BURN);
	return unused;
}

static void leader_goes_first(void)
{
	struct taskrt_reading first, second, leader;
	pthread_t thread;
	pid_t pid = fork();
	int err;

	if (!pid) {
		pthread_create(&thread, NULL, burn_for_ever, NULL);
		clock_burn(2 * BURN);
		syscall(SYS_exit, 0);
	}
	/* A parent is notified of processes only, and the letter in /proc changes too early. */
	state_await_end(handle, pid);
	window_process(handle, pid, &first);
	do {
		clock_sleep(BURN);
		window_process(handle, pid, &second);
	} while (second.stats.cpu_time_ns < first.stats.cpu_time_ns + BURN && patience_lasts());
	tap_equal(second.stats.threads, 1, "leader gone: one thread lives");
	tap_equal(second.stats.threads_gone, 1, "leader gone: one does not");
	tap_equal(second.stats.flags & TASKRT_FLAG_EXITED, 0, "leader gone: the process goes on");
	tap_at_least(second.stats.cpu_time_ns, first.stats.cpu_time_ns + BURN,
		     "leader gone: and computes");
	tap_at_least(first.stats.cpu_time_ns, BURN, "leader gone: what it used is kept");
	err = window_ask(handle, TASKRT_ENTITY_THREAD, pid, &leader);
	tap_errno(err, 0, "leader gone: it can still be queried");
	tap_equal(leader.stats.state, TASKRT_STATE_EXITED, "leader gone: in state exited");
	tap_at_least(leader.stats.flags & TASKRT_FLAG_EXITED, 1, "leader gone: flagged");
	tap_at_least(leader.stats.cpu_time_ns, BURN, "leader gone: with its totals");
	tap_ok(window_adds_up(&leader) && window_adds_up(&second),
	       "leader gone: the states add up");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Waits for a child's end, and leaves it a zombie. */
static void await_zombie(pid_t pid)
{
	struct taskrt_reading reading;
	siginfo_t info;

	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		tap_bail("waitid: %s", strerror(errno));
	/* The last steps of a task come after the notification of its parent. */
	do
		window_process(handle, pid, &reading);
	while (reading.stats.threads && patience_lasts());
}

static void check_zombie(pid_t pid, int status, const char *name)
{
	struct taskrt_reading once, twice;
	struct rusage usage;
	int waited;

	await_zombie(pid);
	window_process(handle, pid, &once);
	clock_sleep(5 * MS);
	window_process(handle, pid, &twice);
	tap_at_least(once.stats.flags & TASKRT_FLAG_EXITED, 1, "%s: exited", name);
	tap_equal(once.stats.threads, 0, "%s: no thread lives", name);
	tap_equal(once.stats.exit_code, status, "%s: exit code", name);
	tap_ok(totals_exceed(&twice, &once, name) < 0 && totals_exceed(&once, &twice, name) < 0,
	       "%s: nothing moves any more", name);
	tap_ok(window_adds_up(&once), "%s: the states add up", name);
	wait4(pid, &waited, 0, &usage);
	tap_equal(waited, once.stats.exit_code, "%s: as wait says", name);
	tap_equal(VALUE(once, MINOR_FAULTS), usage.ru_minflt, "%s: minor faults as wait4", name);
	tap_errno(window_ask(handle, TASKRT_ENTITY_PROCESS, pid, &once), -ESRCH,
		  "%s: gone once waited for", name);
}

/* Is the CPU time of one ended child what wait4 says? */
static int agrees_with_wait4(void)
{
	struct taskrt_reading reading;
	struct rusage usage;
	uint64_t used;
	pid_t pid = fork();

	if (!pid) {
		clock_burn(BURN);
		_exit(0);
	}
	await_zombie(pid);
	window_process(handle, pid, &reading);
	wait4(pid, NULL, 0, &usage);
	used = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SEC +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * US;
	tap_diag("cpu_time %llu, wait4 %llu", reading.stats.cpu_time_ns, (unsigned long long)used);
	return reading.stats.cpu_time_ns + CLOCK_TOLERANCE >= used &&
	       reading.stats.cpu_time_ns <= used + CLOCK_TOLERANCE;
}

/*
 * An emulator's host may stop the machine between the two clocks' readings of one
 * switch; not time after time.
 */
static void cpu_time_at_the_end(void)
{
	int agrees;

	do
		agrees = agrees_with_wait4();
	while (!agrees && patience_lasts());
	tap_ok(agrees, "cpu_time at the end is what wait4 says");
}

static void never_threaded(void)
{
	struct taskrt_reading reading;
	pid_t pid = fork();

	if (!pid) {
		clock_burn(2 * BURN);
		_exit(7);
	}
	await_zombie(pid);
	window_thread(handle, pid, &reading);
	tap_at_least(reading.stats.cpu_time_ns, BURN, "one thread: its totals after its end");
	check_zombie(pid, 7 << 8, "one thread");
}

static void threaded(void)
{
	pid_t pid = fork();

	if (!pid) {
		burn_twice();
		burn_twice();
		_exit(0);
	}
	check_zombie(pid, 0, "three threads");
}

static void killed(void)
{
	pid_t pid = fork();

	if (!pid)
		burn_for_ever(NULL);
	clock_sleep(BURN);
	kill(pid, SIGKILL);
	check_zombie(pid, SIGKILL, "killed");
}

int main(int argc, char **argv)
{
	static char path[512];
	ssize_t n;

	if (argc > 1 && !strcmp(argv[1], "after-exec"))
		for (;;)
			pause();
	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		tap_bail("/proc/self/exe");
	self_path = path;
	handle = window_open();
	exec_by_non_leader();
	leader_goes_first();
	never_threaded();
	threaded();
	killed();
	cpu_time_at_the_end();
	taskrt_close(handle);
	return tap_done();
}
