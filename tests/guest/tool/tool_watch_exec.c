// SPDX-License-Identifier: GPL-2.0-only
/*
 * taskrt watch of the main thread of a process, in which another thread executes a program.
 * That one takes over the id of the main thread, and when it was created: watch sees all
 * the same that it is not the thread that it had armed, and arms it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "token.h"

#define AGAIN	"after_exec"	/* as an argument: this is the program that was executed */
#define LONG	(100 * MS)	/* the sleeps, of which each raises an alert */

static int go[2];

static void live(const char *name)
{
	prctl(PR_SET_NAME, name);
	for (;;)
		clock_sleep(LONG);
}

static void *exec_when_told(void *unused)
{
	token_await(go[0]);
	execl("/proc/self/exe", AGAIN, AGAIN, NULL);
	_exit(127);
	return unused;
}

static void be_watched(void)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_create(&thread, NULL, exec_when_told, NULL))
		_exit(1);
	live("before_exec");
}

static pid_t watch(pid_t process, FILE **output)
{
	char command[128];
	int ends[2];
	pid_t pid;

	snprintf(command, sizeof(command),
		 "exec taskrt watch --tid %d --over 50ms --states sleeping_timer", process);
	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		tap_bail("fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ends[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	close(ends[1]);
	*output = fdopen(ends[0], "r");
	/* What it had read ahead, poll() would not report. */
	setvbuf(*output, NULL, _IONBF, 0);
	return pid;
}

/* Reads the output until there is an alert of the thread with this id and name. */
static int alerted(FILE *output, pid_t tid, const char *name)
{
	struct pollfd ready = { .fd = fileno(output), .events = POLLIN };
	char line[1024], wanted[64];

	snprintf(wanted, sizeof(wanted), ": %s (%d) of process %d waited", name, tid, tid);
	while (poll(&ready, 1, CLOCK_PATIENCE_MS) == 1 && fgets(line, sizeof(line), output))
		if (!strncmp(line, "alert ", 6) && strstr(line, wanted))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	pid_t watched, watcher;
	FILE *output;
	int status;

	if (argc > 1 && !strcmp(argv[1], AGAIN))
		live(AGAIN);
	if (pipe(go))
		tap_bail("pipe: %s", strerror(errno));
	watched = fork();
	if (!watched)
		be_watched();
	watcher = watch(watched, &output);
	tap_ok(alerted(output, watched, "before_exec"), "an alert of the main thread");
	token_pass(go[1]);
	tap_ok(alerted(output, watched, AGAIN), "an alert of the one that has executed a program");
	kill(watched, SIGKILL);
	waitpid(watched, NULL, 0);
	waitpid(watcher, &status, 0);
	tap_equal(status, 0, "watch ends with the thread");
	fclose(output);
	return tap_done();
}
