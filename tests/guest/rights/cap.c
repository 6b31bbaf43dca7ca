// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module keeps no more records than its limit allows: a task without a record is
 * reported as such, and counted.  Short processes, one after the other, take no room for long.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "module.h"
#include "patience.h"
#include "quiet.h"
#include "tap.h"
#include "thread.h"
#include "tracer.h"
#include "window.h"

#define ROOM	20	/* above what is there already */
#define THREADS	60

static sem_t end;
static struct thread threads[THREADS];
static struct taskrt *handle;

static void wait_end(void *unused)
{
	(void)unused;
	sem_wait(&end);
}

static void limit_to(unsigned int room)
{
	char parameters[64];

	taskrt_close(handle);
	snprintf(parameters, sizeof(parameters), "max_threads=%u", quiet_tasks() + room);
	module_again(parameters);
	handle = window_open();
}

static unsigned int count_untracked(void)
{
	struct taskrt_reading reading;
	unsigned int i, count = 0;

	for (i = 0; i < THREADS; i++) {
		int err = window_ask(handle, TASKRT_ENTITY_THREAD, threads[i].tid, &reading);

		if (err && err != -ENODATA)
			tap_bail("thread %d: %s", threads[i].tid, strerror(-err));
		count += err == -ENODATA;
		if (!err && !window_adds_up(&reading))
			tap_bail("thread %d does not add up", threads[i].tid);
	}
	return count;
}

static void check_full(void)
{
	unsigned int untracked = count_untracked();
	struct taskrt_reading process;
	struct taskrt_info info;

	window_info(handle, &info);
	tap_at_most(info.threads, 2 * info.threads_max, "no more records than allowed");
	tap_at_least(untracked, 1, "some threads have no record: ENODATA");
	tap_at_most(untracked, THREADS - 1, "some threads have a record");
	tap_at_least(info.refused, untracked, "each refused thread is counted");
	window_process(handle, 0, &process);
	tap_at_least(process.stats.flags & TASKRT_FLAG_INCOMPLETE, 1, "the process is incomplete");
	tap_ok(window_adds_up(&process), "the totals that it has add up");
}

static void *end_at_once(void *unused)
{
	return unused;
}

/* It has another thread for a moment whenever it is told so. */
static void idle(void)
{
	sigset_t set;
	pthread_t id;
	int sig;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (!sigwait(&set, &sig) && !pthread_create(&id, NULL, end_at_once, NULL))
		pthread_join(id, NULL);
	_exit(1);
}

static pid_t start_idle(void)
{
	pid_t pid = fork();

	if (!pid)
		idle();
	if (pid < 0)
		tap_bail("fork");
	return pid;
}

/*
 * A process that is refused a record.  If a task of the system has just ended, there is
 * room for some: those stay until the end of the test, and take it.
 */
static pid_t start_refused(void)
{
	struct taskrt_reading reading;
	pid_t pid = start_idle();

	while (window_ask(handle, TASKRT_ENTITY_PROCESS, pid, &reading) != -ENODATA) {
		if (!patience_lasts())
			tap_bail("there is room for any process");
		pid = start_idle();
	}
	return pid;
}

/*
 * When there is room it gets a record, which does not have what it did before.  Until then
 * there may be only what is left of another thread of it.
 */
static void check_repaired(pid_t pid)
{
	struct taskrt_reading reading;
	struct taskrt_info info;
	int err, ended = 0;

	kill(pid, SIGUSR1);
	do {
		clock_sleep(MS);
		err = window_ask(handle, TASKRT_ENTITY_PROCESS, pid, &reading);
		ended += !err && reading.stats.flags & TASKRT_FLAG_EXITED;
	} while ((err == -ENODATA || !reading.stats.threads) && patience_lasts());
	tap_errno(err, 0, "a process that was refused gets its record later");
	tap_equal(ended, 0, "and has not ended before");
	tap_equal(reading.stats.flags & (TASKRT_FLAG_INCOMPLETE | TASKRT_FLAG_PREEXISTING),
		  TASKRT_FLAG_INCOMPLETE | TASKRT_FLAG_PREEXISTING,
		  "and it says that it was not tracked before");
	do
		window_info(handle, &info);
	while (!info.repaired && patience_lasts());
	tap_at_least(info.repaired, 1, "and it is counted as repaired");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Each has ended before the next one begins, but their records are kept for a grace period
 * and longer: together there are more than there is room for, and fewer than twice the
 * maximum.
 */
static void end_some(void)
{
	unsigned int i;

	for (i = 0; i < 2 * ROOM; i++) {
		pid_t pid = vfork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			tap_bail("vfork");
	}
}

static const char tries[] = "rescan_work_fn", walks[] = "tasks_stride";
static unsigned int walked;	/* while there was room */

/*
 * Without room the module tries again, but need not look at all tasks for that.  If a task
 * has ended meanwhile there was room, and then there is a new record.
 */
static void check_walks(void)
{
	struct taskrt_info before, after;
	unsigned int calls = 0;
	uint64_t at;

	do {
		walked += calls;
		window_info(handle, &before);
		tracer_clear();
		while (!tracer_times(tries, &at, 1) && patience_lasts())
			clock_sleep(50 * MS);
		calls = tracer_calls(walks);
		clock_sleep(100 * MS);
		window_info(handle, &after);
	} while ((after.threads_gone != before.threads_gone ||
		  after.threads_made != before.threads_made) && patience_lasts());
	tap_equal(calls, 0, "without room it walks over no tasks");
}

/*
 * It begins with a second and doubles that, so the second try is 2 s after the first one, or
 * later, less a tick.  If a task has ended meanwhile it begins anew.
 */
static void check_delays(void)
{
	uint64_t at[2], took;

	do {
		walked += tracer_calls(walks);
		while (tracer_times(tries, at, 2) < 2 && patience_lasts())
			clock_sleep(100 * MS);
		took = tracer_times(tries, at, 2) == 2 ? at[1] - at[0] : 0;
	} while (took < 3 * SEC / 2 && patience_lasts());
	tap_at_least(took, 3 * SEC / 2, "and tries less and less often");
}

/* A record is freed a grace period after its task has ended, on a busy host later still. */
static void await_room(void)
{
	struct taskrt_info info;

	do {
		clock_sleep(50 * MS);
		window_info(handle, &info);
	} while (info.threads + ROOM / 2 > info.threads_max && patience_lasts());
}

/* Who has ended counts against nobody: not at once, and not later, when records are used again. */
static void check_ended(void)
{
	struct taskrt_info before, after;
	uint64_t made;

	limit_to(ROOM);
	window_info(handle, &before);
	end_some();
	window_info(handle, &after);
	tap_at_least(after.threads_made - before.threads_made, 2 * ROOM,
		     "each of %d short processes has a record", 2 * ROOM);
	tap_equal(after.refused, before.refused, "and none was refused for those that had ended");
	do {
		await_room();
		end_some();
		window_info(handle, &after);
		made = after.threads_made - before.threads_made;
	} while (made < 2 * after.threads_max && !after.refused && patience_lasts());
	tap_at_least(made, 2 * after.threads_max, "nor of twice the maximum, one by one");
	tap_equal(after.refused, before.refused, "which are more than there are records in stock");
}

/* Nor does who had ended before the module was inserted, and is not waited for. */
static void check_zombies(void)
{
	struct taskrt_info info;
	unsigned int i;
	siginfo_t how;

	for (i = 0; i < 2 * ROOM; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitid(P_PID, pid, &how, WEXITED | WNOWAIT))
			tap_bail("fork");
	}
	limit_to(0);
	for (i = 0; i < ROOM; i++)
		thread_start(&threads[i], wait_end, NULL);
	window_info(handle, &info);
	tap_equal(info.refused, 0, "there is room for as many as there are zombies");
	for (i = 0; i < ROOM; i++)
		sem_post(&end);
	for (i = 0; i < ROOM; i++)
		thread_join(&threads[i]);
	while (wait(NULL) > 0)
		;
}

int main(void)
{
	struct taskrt_info info;
	struct taskrt_reading reading;
	unsigned int i;
	pid_t refused;
	int traced;

	sem_init(&end, 0, 0);
	handle = window_open();
	limit_to(ROOM);
	for (i = 0; i < THREADS; i++)
		thread_start(&threads[i], wait_end, NULL);
	check_full();
	refused = start_refused();
	traced = tracer_start_functions("function", "rescan_work_fn:mod:taskrt tasks_stride:mod:taskrt");
	if (traced) {
		check_walks();
		check_delays();
	} else {
		tap_skip("how it tries again", "this kernel has no function tracer");
	}
	for (i = 0; i < THREADS; i++)
		sem_post(&end);
	for (i = 0; i < THREADS; i++)
		thread_join(&threads[i]);
	await_room();
	thread_start(&threads[0], wait_end, NULL);
	window_thread(handle, threads[0].tid, &reading);
	tap_ok(window_adds_up(&reading), "there is room again for a new one");
	window_process(handle, 0, &reading);
	tap_at_least(reading.stats.flags & TASKRT_FLAG_INCOMPLETE, 1,
		     "the process stays incomplete");
	check_repaired(refused);
	if (traced) {
		walked += tracer_calls(walks);
		tap_at_least(walked, 1, "and walks when there is room again");
		tracer_stop_functions();
	}
	window_info(handle, &info);
	tap_equal(info.threads_made - info.threads_gone, info.threads, "made - gone == live");
	sem_post(&end);
	thread_join(&threads[0]);
	check_ended();
	check_zombies();
	taskrt_close(handle);
	module_again("");
	return tap_done();
}
