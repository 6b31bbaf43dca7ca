// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command that was run, and what is known of it when it has ended.
 *
 * The module answers for a task until it is reaped.  So we let waitid() tell us
 * of the end without reaping, read the final totals off the zombie, and only
 * then reap it with wait4(), which brings the rusage.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "command.h"

/*
 * SIGINT and SIGQUIT of the terminal are for the command; a SIGCHLD that is
 * ignored would have it reaped behind our back.
 */
static const struct {
	int number;
	void (*handler)(int);
} signals[] = {
	{ SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGCHLD, SIG_DFL },
};

#define SIGNALS		(sizeof(signals) / sizeof(signals[0]))

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void set_signals(struct sigaction *before)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++) {
		struct sigaction action = { .sa_handler = signals[i].handler };

		sigaction(signals[i].number, &action, &before[i]);
	}
}

static void restore_signals(const struct sigaction *before)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		sigaction(signals[i].number, &before[i], NULL);
}

static _Noreturn void become(char **argv, const struct sigaction *before, int report)
{
	int error;

	restore_signals(before);
	execvp(argv[0], argv);
	error = errno;
	/* If nobody reads this, nobody can be told. */
	if (write(report, &error, sizeof(error)) != sizeof(error))
		_exit(STATUS_RUN_FAILED);
	_exit(error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN);
}

/* Return: 0 when the command runs, or its errno; the pipe closes at exec. */
static int exec_error(int report)
{
	ssize_t got;
	int error;

	do
		got = read(report, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

static int start(struct child *child, const struct sigaction *before)
{
	int report[2], error;

	if (pipe2(report, O_CLOEXEC))
		return -errno;
	child->began_ns = now_ns();
	child->pid = fork();
	if (child->pid < 0) {
		error = -errno;
		close(report[0]);
		close(report[1]);
		return error;
	}
	if (!child->pid)
		become(child->argv, before, report[1]);
	close(report[1]);
	error = exec_error(report[0]);
	close(report[0]);
	return error;
}

static void wait_for_end(struct child *child)
{
	siginfo_t info;

	while (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	child->ended_ns = now_ns();
}

static void read_totals(struct child *child, struct taskrt *handle)
{
	enum error_subject subject = ERROR_PROCESS;

	child->error = taskrt_get_process(handle, child->pid, &child->process,
					  sizeof(child->process));
	if (!child->error) {
		subject = ERROR_THREAD;
		child->error = taskrt_get_thread(handle, child->pid, &child->main_thread,
						 sizeof(child->main_thread));
	}
	if (child->error)
		error_query_text(child->error_text, handle, child->error, subject, child->pid);
}

static void reap(struct child *child)
{
	while (wait4(child->pid, &child->wait_status, 0, &child->usage) < 0 && errno == EINTR)
		;
}

int child_run(struct child *child, struct taskrt *handle)
{
	struct sigaction before[SIGNALS];
	int error;

	set_signals(before);
	error = start(child, before);
	if (error >= 0) {
		wait_for_end(child);
		if (!error)
			read_totals(child, handle);
		reap(child);
	}
	restore_signals(before);
	return error;
}

uint64_t child_timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

/*
 * Did it wait for any?  Not by the CPU time: the kernel counts that by another
 * clock than the module, so that two counts of one thread differ.  But both
 * have faults from the same counters, and no process does without faults.
 */
static int had_descendants(const struct child *child)
{
	const struct taskrt_stats *own = &child->process;
	uint64_t all = (uint64_t)child->usage.ru_minflt + (uint64_t)child->usage.ru_majflt;

	return !taskrt_has(own, TASKRT_VALID_FAULTS) ||
	       all > own->minor_faults + own->major_faults;
}

int child_descendants_cpu(const struct child *child, uint64_t *ns)
{
	uint64_t all = child_timeval_ns(&child->usage.ru_utime) +
		       child_timeval_ns(&child->usage.ru_stime);
	uint64_t own = child->process.cpu_time_ns;

	if (child->error || !taskrt_has(&child->process, TASKRT_VALID_CPU_TIME))
		return -1;
	*ns = all > own && had_descendants(child) ? all - own : 0;
	return 0;
}

int child_status(const struct child *child)
{
	if (WIFSIGNALED(child->wait_status))
		return 128 + WTERMSIG(child->wait_status);
	return WEXITSTATUS(child->wait_status);
}
