// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations fail while tasks are created, execute programs and end, and while the
 * module's workers deliver.  A task whose record could not be made is counted, and gets it
 * later; an exit or an alert that could not be sent is counted as lost; all others arrive.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alert.h"
#include "clock.h"
#include "inject.h"
#include "leaks.h"
#include "listener.h"
#include "module.h"
#include "patience.h"
#include "quiet.h"
#include "recorder.h"
#include "self.h"
#include "tap.h"
#include "window.h"

#define TRIES	4	/* at least */
#define MOST	20000	/* allocations, for a test that does not end */
#define THREADS	64	/* more than allocations to make one */
#define STACK	65536	/* so that glibc keeps the stacks of so many */

/* How a child ends. */
#define EXECUTED	7	/* the program runs, and no allocation has failed */
#define FAILED		6	/* the program runs, and one has */
#define REFUSED		5	/* exec has returned */

static struct taskrt *handle;
static int hold[2];		/* who reads from it waits until it is closed */

static void must(int err, const char *what)
{
	if (err)
		tap_bail("%s: %s", what, strerror(-err));
}

static void open_hold(void)
{
	if (pipe(hold))
		tap_bail("pipe");
}

static void wait_on_hold(void)
{
	char byte;

	if (read(hold[0], &byte, 1) == 1)
		exit(1);
}

/* Creating tasks: processes or threads, which are there until all of them are ended. */
struct maker {
	const char *name;
	pid_t (*make)(unsigned int i);	/* or a negative errno */
	void (*end)(unsigned int i, pid_t tid);
	unsigned int records;	/* that are allocated for one */
};

static pid_t make_process(unsigned int i)
{
	pid_t pid = fork();

	(void)i;
	if (pid)
		return pid < 0 ? -errno : pid;
	close(hold[1]);
	wait_on_hold();
	_exit(0);
}

static void end_process(unsigned int i, pid_t pid)
{
	(void)i;
	waitpid(pid, NULL, 0);
}

static pthread_t threads[THREADS];
static volatile pid_t thread_tid;

static void *wait_as_thread(void *unused)
{
	thread_tid = syscall(SYS_gettid);
	wait_on_hold();
	return unused;
}

static pid_t make_thread(unsigned int i)
{
	pthread_attr_t attr;
	int err;

	if (i >= THREADS)
		tap_bail("too many threads");
	thread_tid = 0;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	err = pthread_create(&threads[i], &attr, wait_as_thread, NULL);
	if (err)
		return -err;
	while (!thread_tid)
		sched_yield();
	return thread_tid;
}

static void end_thread(unsigned int i, pid_t tid)
{
	(void)tid;
	pthread_join(threads[i], NULL);
}

static int is_tracked(pid_t tid)
{
	struct taskrt_reading reading;
	int err = window_ask(handle, TASKRT_ENTITY_THREAD, tid, &reading);

	if (err && err != -ENODATA)
		tap_bail("task %d: %s", tid, strerror(-err));
	return !err;
}

static void await_tracked(pid_t tid)
{
	const uint64_t end = clock_now() + 2 * CLOCK_PATIENCE;

	while (!is_tracked(tid)) {
		if (clock_now() > end)
			tap_bail("task %d gets no record", tid);
		clock_sleep(100 * MS);
	}
}

static void end_all(const struct maker *maker, const pid_t *tids, unsigned int n)
{
	unsigned int i;

	close(hold[1]);
	for (i = 0; i < n; i++)
		if (tids[i] >= 0)
			maker->end(i, tids[i]);
	close(hold[0]);
	open_hold();
}

/* No page fault may fail later: all memory that threads need has been touched, and is kept. */
static void warm_up(const struct maker *maker, pid_t *tids)
{
	unsigned int i;

	memset(tids, 0, MOST * sizeof(*tids));
	for (i = 0; i < THREADS; i++)
		tids[i] = maker->make(i);
	end_all(maker, tids, THREADS);
}

/* What has come of the tasks of one maker. */
struct made {
	unsigned int allocations, refused, untracked;
	uint64_t no_memory, repaired;	/* as INFO counts them */
};

static void make_one(const struct maker *maker, unsigned int i, pid_t *tid, struct made *made)
{
	*tid = maker->make(i);
	if (!inject_end())
		made->allocations = i;
	if (*tid < 0) {
		made->refused++;
	} else if (!is_tracked(*tid)) {
		made->untracked++;
		await_tracked(*tid);
	}
}

/*
 * A task that ended is in stock for the next one, which needs no allocation then.  So the
 * module begins without a stock, and nobody ends until the last one is there.
 */
static void make_all(const struct maker *maker, struct made *made)
{
	static pid_t tids[MOST];
	struct taskrt_info before, after;
	unsigned int n;

	warm_up(maker, tids);
	*made = (struct made){ .allocations = MOST };
	module_again("");
	taskrt_close(handle);
	handle = window_open();
	window_info(handle, &before);
	for (n = 0; n < MOST && made->allocations == MOST; n++) {
		inject_begin(n + 1);
		make_one(maker, n, &tids[n], made);
	}
	window_info(handle, &after);
	end_all(maker, tids, n);
	made->no_memory = after.no_memory - before.no_memory;
	made->repaired = after.repaired - before.repaired;
}

static void check_maker(const struct maker *maker)
{
	unsigned int tries = 0, untracked = 0;
	uint64_t no_memory = 0, repaired = 0;
	struct made made;

	/*
	 * Another task may end meanwhile, and the kernel may allocate more for one task than for
	 * the next, so that none of the module's allocations fails, or one of them twice.  A try
	 * takes minutes on a busy host.
	 */
	do {
		make_all(maker, &made);
		tap_diag("%s: %u allocations, %u refused by the kernel, %u without a record",
			 maker->name, made.allocations, made.refused, made.untracked);
		untracked += made.untracked;
		no_memory += made.no_memory;
		repaired += made.repaired;
	} while (untracked < maker->records && (++tries < TRIES || patience_lasts()));
	tap_at_least(untracked, maker->records, "%s: without a record, if one cannot be made",
		     maker->name);
	tap_equal(no_memory, untracked, "%s: that is counted", maker->name);
	tap_at_least(repaired, untracked, "%s: and made good", maker->name);
}

/* Executing and ending: of a child that is armed, has mapped its counters, and is listened to. */
static struct listener listener;
static struct raw armer;

/* The loader says which of its allocations has failed, and nobody wants to know. */
static void execute(unsigned int nth)
{
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	inject_begin(nth);
	execl("/proc/self/exe", "inject_life", "executed", NULL);
	_exit(REFUSED);
}

static void end(unsigned int nth)
{
	inject_begin(nth);
	_exit(EXECUTED);
}

static pid_t start_child(void (*act)(unsigned int nth), unsigned int nth)
{
	struct recorder_arm arm = { .depth = 8 };
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		tap_bail("pipe");
	pid = fork();
	if (pid) {
		close(ready[1]);
		if (read(ready[0], &byte, 1) != 1)
			tap_bail("the child has gone");
		close(ready[0]);
		arm.tid = pid;
		must(recorder_arm(&armer, &arm, NULL), "ARM");
		return pid;
	}
	close(hold[1]);
	self_open();
	if (write(ready[1], "r", 1) != 1)
		_exit(1);
	wait_on_hold();
	act(nth);
	_exit(1);
}

/* Has an allocation of this process failed?  It has ended, and nobody has waited for it. */
static int has_failed(pid_t pid)
{
	char path[64], text[16] = "";
	siginfo_t info;
	int fd;

	if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT))
		tap_bail("waitid");
	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		tap_bail("%s: %s", path, strerror(errno));
	close(fd);
	return !atoi(text);
}

/* Return: whether no allocation has failed. */
static int run_child(void (*act)(unsigned int nth), unsigned int nth)
{
	pid_t pid = start_child(act, nth);
	int status, failed;

	close(hold[0]);
	close(hold[1]);
	failed = act == end && has_failed(pid);
	waitpid(pid, &status, 0);
	open_hold();
	/* However it has ended: its record comes, or the test ends here. */
	listener_until(&listener, pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == EXECUTED && !failed;
}

/* None of these allocations are the module's, so not every one has to fail. */
static void check_children(void (*act)(unsigned int nth), const char *name)
{
	unsigned int nth = 1, times = 0;

	while (!run_child(act, nth) && nth < MOST) {
		nth += 1 + nth / 16;
		times++;
	}
	tap_diag("%s: up to %u allocations, one fails %u times", name, nth, times);
	tap_at_most(nth, MOST - 1, "%s: each is reported", name);
}

static void make_exits(unsigned int count)
{
	pid_t pid;

	while (count--) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

/* The module's workers. */
static const char *const workers[] = { "taskrt", "taskrt_alerts", NULL };

static void lose_in_workers(const struct taskrt_info *before)
{
	const uint64_t patience = clock_now() + 2 * CLOCK_PATIENCE;
	struct taskrt_info now;

	do {
		inject_kthreads(workers);
		make_exits(20);
		recorder_insist("lost", NULL);
		clock_sleep(200 * MS);
		inject_kthreads_end();
		window_info(handle, &now);
	} while ((now.exits_lost == before->exits_lost || now.alerts_lost == before->alerts_lost) &&
		 clock_now() < patience);
	tap_at_least(now.exits_lost, before->exits_lost + 1, "workers: exits are lost");
	tap_at_least(now.alerts_lost, before->alerts_lost + 1, "workers: and alerts");
}

static void check_workers(void)
{
	static struct alert_listener alerts;
	const struct recorder_arm arm = { .depth = 8 };
	struct taskrt_info before;
	const struct alert *alert;

	alert_open(&alerts);
	must(recorder_arm(&armer, &arm, NULL), "ARM");
	window_info(handle, &before);
	lose_in_workers(&before);
	listener_drain(&listener);
	tap_at_least(listener.lost, 1, "workers: the listener is told of the loss");
	tap_equal(listener.received + listener.lost, listener_listed(&listener, TASKRT_A_SEQ),
		  "workers: each exit is delivered, or counted as lost");
	tap_equal(listener.wrong, 0, "workers: as the header promises");
	alert_drain(&alerts);
	recorder_must_tell("delivered");
	do
		alert = alert_of(&alerts, getpid());
	while (alert && strcmp(alert->tag, "delivered"));
	tap_ok(alert && alert->lost > before.alerts_lost, "workers: the next alert says it, too");
	tap_equal(alerts.wrong, 0, "workers: as the header promises");
	must(recorder_disarm(&armer, 0), "DISARM");
	alert_close(&alerts);
}

static const struct maker makers[] = {
	{ "processes", make_process, end_process, 2 },
	{ "threads", make_thread, end_thread, 1 },
};

int main(int argc, char **argv)
{
	const char *why_not = inject_why_not();
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "executed"))
		return inject_end() ? FAILED : EXECUTED;
	if (why_not) {
		tap_skip("allocations fail in the life of tasks", why_not);
		return tap_done();
	}
	inject_prepare(argv);
	open_hold();
	handle = window_open();
	for (i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		check_maker(&makers[i]);
	must(raw_open(&armer), "opening");
	listener_open(&listener, NULL, NULL);
	listener_listen(&listener, NULL);
	check_children(execute, "programs");
	check_children(end, "ends");
	check_workers();
	listener_close(&listener);
	raw_close(&armer);
	taskrt_close(handle);
	quiet_check("after all of it");
	module_again("");
	leaks_check("nothing of it is leaked");
	return tap_done();
}
