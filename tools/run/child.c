// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command that was run, and what is known of it when it has ended.
 *
 * The module answers for a task until it is reaped.  So we wait for its end without reaping it,
 * read the final totals of the zombie, and then reap it with wait4(), which returns the rusage.
 *
 * A zombie may still be on its CPU: until it has left it for the last time, its totals grow.
 *
 * Orphans of the command become our children; we reap them as they end.
 */
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/orphan.h"
#include "common/signals.h"
#include "common/workload.h"
#include "run/run.h"

#define PATIENCE	(5 * CLOCK_SECOND)	/* for the last switch after the end */
#define PAUSE_MS	1

/* Return: 0; a positive errno: the command could not be run; a negative errno: nothing could. */
static int start(struct child *child, const struct signals *signals)
{
	struct workload workload;
	int error;

	child->began_ns = clock_now_ns();
	error = workload_start(&workload, child->argv, signals, 0);
	if (error)
		return error;
	child->pid = workload.pid;
	error = workload_run(&workload);
	workload_close(&workload);
	return error;
}

/* Has it ended?  This does not reap it. */
static int has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

static void wait_for_end(struct child *child, const struct signals *signals)
{
	struct pollfd fd = { .fd = signals->fd, .events = POLLIN };

	while (!has_ended(child->pid)) {
		poll(&fd, 1, -1);
		/* Read before the check for ended children: a later one makes it readable again. */
		signals_pass(signals, child->pid);
		orphan_reap(child->pid);
	}
	child->ended_ns = clock_now_ns();
}

static void read_totals(struct child *child, struct taskrt *handle)
{
	enum error_subject subject = ERROR_PROCESS;

	child->error = taskrt_get(handle, TASKRT_ENTITY_PROCESS, child->pid, child->process_groups,
				  &child->process, sizeof(child->process));
	if (!child->error) {
		subject = ERROR_THREAD;
		child->error = taskrt_get(handle, TASKRT_ENTITY_THREAD, child->pid,
					  child->thread_groups, &child->main_thread,
					  sizeof(child->main_thread));
	}
	if (child->error)
		error_query_text(child->error_text, handle, child->error, subject, child->pid);
}

static const struct taskrt_sites *read_sites(struct taskrt *handle,
					     const struct taskrt_reading *reading,
					     struct taskrt_sites *sites)
{
	return taskrt_get_sites(handle, reading, sites, sizeof(*sites)) ? NULL : sites;
}

static int is_in_time(const struct child *child)
{
	return clock_now_ns() - child->ended_ns < PATIENCE;
}

/* Also true if this cannot be known: the task cannot be read, or the module is too old. */
static int is_final(const struct child *child)
{
	return child->error || !taskrt_has(&child->process.stats, TASKRT_VALID_IDENTITY) ||
	       (child->process.stats.flags & child->main_thread.stats.flags & TASKRT_FLAG_EXITED);
}

static void read_final_totals(struct child *child, struct taskrt *handle)
{
	read_totals(child, handle);
	while (!is_final(child) && is_in_time(child)) {
		poll(NULL, 0, PAUSE_MS);
		read_totals(child, handle);
	}
	if (child->error)
		return;
	child->process_sites = read_sites(handle, &child->process, &child->sites[0]);
	child->main_thread_sites = read_sites(handle, &child->main_thread, &child->sites[1]);
}

static void reap(struct child *child)
{
	while (wait4(child->pid, &child->wait_status, 0, &child->usage) < 0 && errno == EINTR)
		;
}

static int run(struct child *child, struct taskrt *handle, const struct signals *signals)
{
	int error = start(child, signals);

	if (error < 0)
		return error;
	wait_for_end(child, signals);
	if (!error) {
		read_final_totals(child, handle);
		descendants_read(&child->descendants, handle, child->pid);
	}
	reap(child);
	return error;
}

int child_run(struct child *child, struct taskrt *handle)
{
	struct signals signals;
	int error;

	/* This may wait.  Until the command runs, a signal ends taskrt. */
	descendants_begin(&child->descendants, handle);
	error = signals_hold(&signals);
	if (error)
		return error;
	error = run(child, handle, &signals);
	signals_end(&signals);
	return error;
}

uint64_t child_timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

int child_status(const struct child *child)
{
	if (WIFSIGNALED(child->wait_status))
		return 128 + WTERMSIG(child->wait_status);
	return WEXITSTATUS(child->wait_status);
}
