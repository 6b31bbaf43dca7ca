// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command that was run, and what is known of it when it has ended.
 *
 * The module answers for a task until it is reaped.  So we look for its end
 * without reaping, read the final totals off the zombie, and only then reap it
 * with wait4(), which brings the rusage.
 *
 * Its end is seen when it has closed its books, but is yet to leave the CPU: for
 * a moment its totals still grow.  The exit tracker has a record when they are final.
 *
 * Orphans of the command become our children, so that their exits
 * name us as the parent; we reap them as they end.
 */
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/element.h"
#include "common/orphan.h"
#include "common/signals.h"
#include "common/workload.h"
#include "run/child.h"

#define PATIENCE	(5 * CLOCK_SECOND)	/* for records that arrive after the end */
#define USUALLY		(CLOCK_SECOND / 20)	/* they have arrived by then */

/* Return: 0; a positive errno: the command could not be run; a negative one: nothing could. */
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

/* Has it ended?  It is not reaped here. */
static int has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/* Sleep until a record arrives, a child ends, or the time is over; -1: there is no limit. */
static void watch(struct child *child, const struct signals *signals, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = signals->fd, .events = POLLIN },
		{ .fd = exit_tracker_fd(child->tracker), .events = POLLIN },
	};

	poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms);
	/* Read before the check for ended children: a later one makes it readable again. */
	signals_pass(signals, child->ended_ns ? 0 : child->pid);
	exit_tracker_read(child->tracker);
}

static void wait_for_end(struct child *child, const struct signals *signals)
{
	while (!has_ended(child->pid)) {
		watch(child, signals, -1);
		while (orphan_reap(child->pid, &child->descendants_run))
			child->orphans_reaped = 1;
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

/* True also if it cannot be known: the task cannot be read, or the module is too old. */
static int is_final(const struct child *child)
{
	return child->error || !taskrt_has(&child->process.stats, TASKRT_VALID_IDENTITY) ||
	       (child->process.stats.flags & child->main_thread.stats.flags & TASKRT_FLAG_EXITED);
}

static int is_pending(struct taskrt *handle, pid_t parent)
{
	struct taskrt_reading sum;

	return !taskrt_get(handle, TASKRT_ENTITY_CHILDREN, parent, 0, &sum, sizeof(sum)) &&
	       sum.stats.flags & TASKRT_FLAG_PENDING;
}

/*
 * A child may leave its CPU for the last time after its parent has waited for it, and
 * then its record comes after that of the command.  The module adds up the children
 * that were waited for, and has the record of each before.  If it cannot say, the
 * records that have arrived must do.
 */
static void await_children(struct child *child, struct taskrt *handle, pid_t parent,
			   const struct signals *signals)
{
	int pending;

	while ((pending = is_pending(handle, parent)) && is_in_time(child))
		watch(child, signals, 5);
	child->late |= pending;
}

static int has_received(const struct exit_tracker *tracker, uint64_t sequence)
{
	return !tracker->exits || tracker->received + tracker->lost >= sequence;
}

/* Of the records that the module has, some may be in its memory, and not sent yet. */
static void await_sent(struct child *child, const struct signals *signals)
{
	struct exit_tracker *tracker = child->tracker;
	struct taskrt_exits_status status;
	int known;

	if (!tracker->exits)
		return;
	known = !taskrt_exits_get_status(tracker->exits, &status, sizeof(status));
	exit_tracker_read(tracker);
	while (known && !has_received(tracker, status.sequence) && is_in_time(child))
		watch(child, signals, 5);
	child->late |= !known || !has_received(tracker, status.sequence);
}

static void read_final_totals(struct child *child, struct taskrt *handle,
			      const struct signals *signals)
{
	read_totals(child, handle);
	while (!is_final(child) && is_in_time(child)) {
		watch(child, signals, 5);
		read_totals(child, handle);
	}
	if (!child->error) {
		child->process_sites = read_sites(handle, &child->process, &child->sites[0]);
		child->main_thread_sites = read_sites(handle, &child->main_thread,
						      &child->sites[1]);
	}
	if (child->tracker->exits && !child->error)
		await_children(child, handle, child->pid, signals);
}

/*
 * Wait for the record of a child that we have waited for.  It does not come if we may
 * not read the child, or if that was not tracked: then it is among our children at some
 * time, or never will be.  That takes longer than most records do.
 */
static void await_record(struct child *child, struct taskrt *handle, pid_t pid,
			 const struct signals *signals)
{
	const struct exit_tracker *tracker = child->tracker;
	const uint64_t usually = clock_now_ns() + USUALLY;

	while (tracker->exits && !descendants_has_ended(&tracker->descendants, (uint32_t)pid) &&
	       (clock_now_ns() < usually || is_pending(handle, 0)) && !child->late) {
		watch(child, signals, 5);
		child->late |= !is_in_time(child);
	}
}

/* The exits of orphans that have ended by now are waited for as well. */
static void reap(struct child *child, struct taskrt *handle, const struct signals *signals)
{
	pid_t orphan;

	while (wait4(child->pid, &child->wait_status, 0, &child->usage) < 0 && errno == EINTR)
		;
	await_record(child, handle, child->pid, signals);
	while ((orphan = orphan_reap(child->pid, &child->descendants_run))) {
		child->orphans_reaped = 1;
		await_record(child, handle, orphan, signals);
	}
	if (child->orphans_reaped && child->tracker->exits)
		await_children(child, handle, 0, signals);
	await_sent(child, signals);
	descendants_close(&child->tracker->descendants,
			  child->descendants_run ? orphan_descends : NULL);
}

static int run(struct child *child, struct taskrt *handle, const struct signals *signals)
{
	int error = start(child, signals);

	if (error < 0)
		return error;
	child->tracker->descendants.command = (uint32_t)child->pid;
	wait_for_end(child, signals);
	if (!error)
		read_final_totals(child, handle, signals);
	reap(child, handle, signals);
	return error;
}

int child_run(struct child *child, struct taskrt *handle)
{
	struct signals signals;
	int error = signals_hold(&signals);

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

/*
 * Did it wait for any?  Not by the CPU time: the kernel counts that by another
 * clock than the module, so that two counts of one thread differ.  But both
 * have faults from the same counters, and no process does without faults.
 */
static int had_descendants(const struct child *child)
{
	const struct element minor = element_of(&child->process, TASKRT_NAME_VALUE,
						TASKRT_VALUE_MINOR_FAULTS);
	const struct element major = element_of(&child->process, TASKRT_NAME_VALUE,
						TASKRT_VALUE_MAJOR_FAULTS);
	uint64_t all = (uint64_t)child->usage.ru_minflt + (uint64_t)child->usage.ru_majflt;

	return !minor.counted || !major.counted || all > minor.count + major.count;
}

int child_descendants_cpu(const struct child *child, uint64_t *ns)
{
	uint64_t all = child_timeval_ns(&child->usage.ru_utime) +
		       child_timeval_ns(&child->usage.ru_stime);
	uint64_t own = child->process.stats.cpu_time_ns;

	if (child->error || !taskrt_has(&child->process.stats, TASKRT_VALID_CPU_TIME))
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
