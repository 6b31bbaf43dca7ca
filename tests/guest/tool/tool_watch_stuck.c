// SPDX-License-Identifier: GPL-2.0-only
/*
 * taskrt watch of a thread that waits for a lock of user space, and does not get it: a line
 * says so while it waits, and again after twice the time, with the holder.  The alert comes
 * when it has the lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"
#include "thread.h"
#include "token.h"
#include "window.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int go[2];

static void hold(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "reload");
	pthread_mutex_lock(&mutex);
	token_await(go[0]);
	pthread_mutex_unlock(&mutex);
}

static void want(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "waiter");
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static pid_t watch(pid_t tid, FILE **output)
{
	char text[16];
	int ends[2];
	pid_t pid;

	snprintf(text, sizeof(text), "%d", tid);
	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		tap_bail("fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ends[1], STDOUT_FILENO);
		execlp("taskrt", "taskrt", "watch", "--tid", text, "--over", "100ms", "--states",
		       "sleeping_futex", NULL);
		_exit(127);
	}
	close(ends[1]);
	*output = fdopen(ends[0], "r");
	/* What it had read ahead, poll() would not report. */
	setvbuf(*output, NULL, _IONBF, 0);
	return pid;
}

/* The next line of the output with these words; "": none came. */
static const char *line_with(FILE *output, const char *words)
{
	struct pollfd ready = { .fd = fileno(output), .events = POLLIN };
	static char line[1024];

	while (poll(&ready, 1, CLOCK_PATIENCE_MS) == 1 && fgets(line, sizeof(line), output))
		if (strstr(line, words))
			return line;
	return "";
}

/* "still waiting, 1.23 s asleep" */
static double seconds(const char *line)
{
	const char *at = strstr(line, "still waiting, ");
	char unit[8] = "";
	double time = 0;

	if (!at || sscanf(at, "still waiting, %lf %7s", &time, unit) != 2)
		return 0;
	return strcmp(unit, "ms") ? time : time / 1000;
}

int main(void)
{
	struct taskrt *handle = window_open();
	struct thread holder, waiter;
	char head[64], owner[64];
	double first, second;
	const char *line;
	FILE *output;
	int status;
	pid_t pid;

	if (pipe(go))
		tap_bail("pipe: %s", strerror(errno));
	thread_start(&holder, hold, NULL);
	window_await(handle, holder.tid, TASKRT_STATE_SLEEPING_FILE);
	thread_start(&waiter, want, NULL);
	window_await(handle, waiter.tid, TASKRT_STATE_SLEEPING_FUTEX);
	snprintf(head, sizeof(head), "waiter (%d) of process %d: still waiting, ", waiter.tid,
		 getpid());
	snprintf(owner, sizeof(owner), ", held by reload (%d)\n", holder.tid);
	pid = watch(waiter.tid, &output);
	line = line_with(output, "still waiting, ");
	first = seconds(line);
	tap_ok(!strncmp(line, head, strlen(head)) && first >= 1,
	       "a line while the wait goes on: %.200s", line);
	tap_ok(strstr(line, " s asleep in futex(2), ") && strstr(line, owner),
	       "where it waits, and who has the lock");
	line = line_with(output, "still waiting, ");
	second = seconds(line);
	tap_ok(second >= 1.9 * first, "again after twice the time: %.200s", line);
	token_pass(go[1]);
	line = line_with(output, "alert ");
	tap_ok(strstr(line, "waited too long") != NULL, "and an alert when it is over: %.200s", line);
	line = line_with(output, "too long: ");
	tap_ok(strstr(line, "it was armed during this wait") != NULL, "which says what it lacks: %.400s",
	       line);
	thread_join(&waiter);
	thread_join(&holder);
	waitpid(pid, &status, 0);
	tap_equal(status, 0, "watch ends with the thread");
	fclose(output);
	taskrt_close(handle);
	return tap_done();
}
