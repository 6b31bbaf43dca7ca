// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process whose main thread has ended, while another thread goes on: whether others of its
 * user may read it depends on whether the process is dumpable, as for any other.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "clock.h"
#include "patience.h"
#include "tap.h"
#include "thread.h"
#include "token.h"

static const struct ask_who user = { ASK_USER, ASK_USER, ASK_USER, 0 };
static int ready[2];
static pid_t worker_tid;

static void *go_on(void *unused)
{
	pid_t tid = gettid();

	(void)unused;
	if (write(ready[1], &tid, sizeof(tid)) != sizeof(tid))
		_exit(TOKEN_LOST);
	for (;;)
		pause();
}

static pid_t start(int dumpable)
{
	pthread_t worker;
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ask_become(&user);
		prctl(PR_SET_DUMPABLE, dumpable);
		if (pthread_create(&worker, NULL, go_on, NULL))
			_exit(TOKEN_LOST);
		syscall(SYS_exit, 0);	/* the main thread alone */
	}
	if (read(ready[0], &worker_tid, sizeof(worker_tid)) != sizeof(worker_tid))
		tap_bail("no thread goes on");
	thread_await(pid, "Z");
	return pid;
}

static void check(int dumpable, int expected, const char *what)
{
	const pid_t pid = start(dumpable);

	tap_errno(ask_as(&user, TASKRT_A_TGID, pid), expected, "%s: the process", what);
	tap_errno(ask_as(&user, TASKRT_A_TID, pid), expected, "%s: its main thread", what);
	tap_errno(ask_as(&user, TASKRT_A_TID, worker_tid), expected, "%s: the other thread", what);
	kill(pid, SIGKILL);
	while (thread_letter(worker_tid) && patience_lasts())
		clock_sleep(MS);
	tap_errno(ask_as(&user, TASKRT_A_TGID, pid), expected,
		  "%s: the process, of which all threads have ended", what);
	tap_errno(ask_as(&user, TASKRT_A_TID, pid), expected,
		  "%s: its main thread, when all have ended", what);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	if (pipe(ready))
		tap_bail("pipe");
	check(1, 0, "dumpable");
	check(0, EPERM, "not dumpable");
	return tap_done();
}
