// SPDX-License-Identifier: GPL-2.0-only
/*
 * The threads that we have armed.  They stay armed as long as the socket of the owner is open.
 *
 * A thread is known by its id, its creation, and the start of its tracking: a thread that executes
 * a program takes over id and creation of the main thread, and after accounting was off no thread
 * is armed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/list.h"
#include "common/memory.h"
#include "common/units.h"
#include "watch/armed.h"

#define ATTEMPTS	5	/* to get a complete list */

static int fail_query(struct armed *armed, int error, enum error_subject subject, pid_t id)
{
	error_query_text(armed->error, armed->asker, error, subject, id);
	return error;
}

static int fail_arm(struct armed *armed, int error, pid_t tid)
{
	if (error == -EOPNOTSUPP)
		snprintf(armed->error, sizeof(armed->error),
			 "the loaded taskrt module cannot arm threads, or is too old (this tool is %s)",
			 taskrt_version());
	else if (error == -ENODEV || error == -ENODATA)
		error_query_text(armed->error, armed->owner, error, ERROR_THREAD, tid);
	else
		snprintf(armed->error, sizeof(armed->error), "cannot arm thread %d: %s", tid,
			 taskrt_error(armed->owner));
	return error;
}

int armed_open(struct armed *armed)
{
	int error = taskrt_open(&armed->owner);

	if (!error)
		error = taskrt_open(&armed->asker);
	if (error)
		error_open_text(armed->error, error);
	return error;
}

static struct armed_thread *find(const struct armed *armed, pid_t tid)
{
	size_t i;

	for (i = 0; i < armed->count; i++)
		if (armed->threads[i].tid == tid)
			return &armed->threads[i];
	return NULL;
}

static int is_same(const struct armed_thread *thread, const struct taskrt_stats *stats)
{
	return thread->start_time_ns == stats->start_time_ns &&
	       thread->tracked_since_ns == stats->tracked_since_ns;
}

/* A place for one more thread. */
static struct armed_thread *add(struct armed *armed)
{
	if (armed->count == armed->room) {
		armed->room = armed->room ? 2 * armed->room : 16;
		armed->threads = memory_resize(armed->threads, armed->room,
					       sizeof(*armed->threads));
	}
	return &armed->threads[armed->count++];
}

/* @known: the thread that had its tid before; NULL: none */
static void remember(struct armed *armed, struct armed_thread *known,
		     const struct taskrt_stats *stats)
{
	*(known ? known : add(armed)) = (struct armed_thread){
		.tid = (pid_t)stats->tid,
		.tgid = (pid_t)stats->tgid,
		.start_time_ns = stats->start_time_ns,
		.tracked_since_ns = stats->tracked_since_ns,
		.seen = 1,
	};
}

/* No more threads can be armed: say so once.  Armed ones stay so. */
static int go_on_without(struct armed *armed, int error, pid_t tid)
{
	if (!armed->full) {
		fail_arm(armed, error, tid);
		error_warn("%s; %zu thread%s %s armed", armed->error, armed->count,
			   units_plural(armed->count, "s"), armed->count == 1 ? "is" : "are");
		armed->error[0] = '\0';
	}
	armed->full = 1;
	armed->refused = 1;
	return 0;
}

static int could_not_arm(struct armed *armed, int error, pid_t tid)
{
	const int whole = armed->processes.count > 0 || armed->several;

	/* It may have ended since it was listed. */
	if (error == -ESRCH || (error == -ENODATA && whole))
		return 0;
	if ((error == -EUSERS || error == -ENOSPC) && whole && armed->count)
		return go_on_without(armed, error, tid);
	return fail_arm(armed, error, tid);
}

static void look_at_wait(const struct armed *armed, struct armed_thread *thread,
			 const struct taskrt_reading *reading)
{
	thread->tgid = (pid_t)reading->stats.tgid;
	memcpy(thread->comm, reading->stats.comm, sizeof(thread->comm));
	thread->report |= waiting_read(&thread->waiting, reading, &armed->options);
}

static int arm(struct armed *armed, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *stats = &reading->stats;
	struct armed_thread *known = find(armed, (pid_t)stats->tid);
	int error;

	if (stats->flags & TASKRT_FLAG_EXITED)
		return 0;
	if (known && is_same(known, stats)) {
		known->seen = 1;
		known->unread = 0;
		look_at_wait(armed, known, reading);
		return 0;
	}
	if (armed->refused)
		return 0;
	error = taskrt_recorder_arm(armed->owner, (pid_t)stats->tid, &armed->options,
				    sizeof(armed->options));
	if (error == -EBUSY)
		error_warn("another program has armed thread %u, which stays as it is",
			   stats->tid);
	else if (error)
		return could_not_arm(armed, error, (pid_t)stats->tid);
	remember(armed, known, stats);
	return 0;
}

static int arm_each(const struct taskrt_reading *reading, void *armed)
{
	return arm(armed, reading);
}

static int has_seen_any(const struct armed *armed, pid_t tgid)
{
	size_t i;

	for (i = 0; i < armed->count; i++)
		if (armed->threads[i].seen && armed->threads[i].tgid == tgid)
			return 1;
	return 0;
}

/* The present wait may be the longest. */
static uint32_t groups(const struct armed *armed)
{
	return armed->options.alert_over_ns ? TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST : 0;
}

/* Return: -ESRCH: it has ended; another negative errno: it may run, but could not be read. */
static int arm_process(struct armed *armed, pid_t tgid)
{
	const struct taskrt_query query = { .tgid = tgid, .groups = groups(armed) };
	int error, attempt;

	armed->error[0] = '\0';
	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		error = taskrt_each(armed->asker, &query, sizeof(query),
				    sizeof(struct taskrt_reading), arm_each, armed);
		if (error != -EINTR)
			break;
	}
	if (!error && !has_seen_any(armed, tgid))
		error = list_why_empty(armed->asker, tgid);
	if (error && !armed->error[0])
		fail_query(armed, error, ERROR_PROCESS_NOT_THREAD, tgid);
	return error;
}

/*
 * An ended process gets a negative id, because its id may be reused.
 * Return: -ESRCH: all have ended; another negative errno: a live one could not be read.
 */
static int arm_processes(struct armed *armed)
{
	struct target_ids *processes = &armed->processes;
	char text[ERROR_MAX] = "";
	int error = 0, live = 0;
	size_t i;

	for (i = 0; i < processes->count; i++) {
		int now = processes->ids[i] < 0 ? -ESRCH : arm_process(armed, processes->ids[i]);

		if (now == -ESRCH && processes->ids[i] > 0)
			processes->ids[i] = -processes->ids[i];
		if (now == -ESRCH)
			continue;
		live = 1;
		/* Of several errors, keep one that ends the command. */
		if (!now || (error && error != -EPERM && error != -ENODATA))
			continue;
		error = now;
		memcpy(text, armed->error, sizeof(text));
	}
	if (!live)
		return -ESRCH;
	memcpy(armed->error, text, sizeof(text));
	return error;
}

static int get_thread(struct armed *armed, pid_t tid, struct taskrt_reading *reading)
{
	return taskrt_get(armed->asker, TASKRT_ENTITY_THREAD, (uint64_t)tid, groups(armed), reading,
			  sizeof(*reading));
}

static int arm_thread(struct armed *armed, pid_t tid)
{
	struct taskrt_reading reading;
	int error = get_thread(armed, tid, &reading);

	if (error)
		return fail_query(armed, error, ERROR_THREAD, tid);
	if (reading.stats.flags & TASKRT_FLAG_EXITED)
		return fail_query(armed, -ESRCH, ERROR_THREAD, tid);
	return arm(armed, &reading);
}

static int find_targets(struct armed *armed, const struct target *target, enum target_kind kind,
			struct target_ids *found)
{
	int error = target_find(armed->asker, target, kind, found);

	if (error)
		target_error_text(armed->error, armed->asker, error, target, kind, found);
	return error;
}

int armed_threads(struct armed *armed, const struct target *target)
{
	struct target_ids found;
	int error = find_targets(armed, target, TARGET_THREAD, &found);
	size_t i;

	armed->several |= found.count > 1;
	for (i = 0; i < found.count && !error; i++) {
		error = arm_thread(armed, found.ids[i]);
		/* A thread with this name may have ended by now. */
		if (error == -ESRCH && found.count > 1) {
			armed->error[0] = '\0';
			error = 0;
		}
	}
	target_free(&found);
	return error;
}

int armed_processes(struct armed *armed, const struct target *target)
{
	int error = find_targets(armed, target, TARGET_PROCESS, &armed->processes);

	return error ? error : arm_processes(armed);
}

static void say_once(struct armed *armed, int *said)
{
	if (!*said)
		error_warn("%s; threads are armed again as soon as possible",
			   armed->error);
	*said = 1;
	armed->error[0] = '\0';
}

/* It may have ended or not, so it is looked for again, and the others continue. */
static int pass_over(struct armed *armed, struct armed_thread *thread)
{
	fail_query(armed, -EPERM, ERROR_THREAD, thread->tid);
	say_once(armed, &thread->unread);
	thread->seen = 1;
	return 0;
}

static int look_at(struct armed *armed, struct armed_thread *thread)
{
	struct taskrt_reading reading;
	int error = get_thread(armed, thread->tid, &reading);

	/* Its id may have been reused. */
	if (!error && reading.stats.start_time_ns != thread->start_time_ns)
		error = -ESRCH;
	else if (!error)
		error = arm(armed, &reading);
	else if (error != -ESRCH && error != -EPERM)
		fail_query(armed, error, ERROR_THREAD, thread->tid);
	if (error == -EPERM)
		return pass_over(armed, thread);
	return error == -ESRCH ? 0 : error;
}

/* Single threads, named by ID or name. */
static int look_again(struct armed *armed)
{
	size_t i;
	int error = 0;

	for (i = 0; i < armed->count && !error; i++)
		error = look_at(armed, &armed->threads[i]);
	return error;
}

/* Ended single threads are kept, so that their last alerts are still recognized. */
static size_t count_seen(struct armed *armed)
{
	const int whole = armed->processes.count > 0;
	size_t i, seen = 0;

	for (i = 0; i < armed->count; i++) {
		if (!armed->threads[i].seen)
			continue;
		if (whole)
			armed->threads[seen] = armed->threads[i];
		seen++;
	}
	if (whole)
		armed->count = seen;
	return seen;
}

/*
 * No thread is armed while accounting is off, or while the module still looks for its tasks.  Or
 * the process may not be read, perhaps because it has executed a set-user-id program.
 */
static int wait_until_armed(struct armed *armed)
{
	say_once(armed, &armed->unarmed);
	return 1;
}

int armed_refresh(struct armed *armed)
{
	const int whole = armed->processes.count > 0;
	size_t i, seen;
	int error;

	for (i = 0; i < armed->count; i++) {
		armed->threads[i].seen = 0;
		armed->threads[i].report = 0;
	}
	armed->refused = 0;
	error = whole ? arm_processes(armed) : look_again(armed);
	/* Too many threads came and went during the check; the next one is soon. */
	if (error == -EINTR) {
		armed->error[0] = '\0';
		return 1;
	}
	if (error == -ENODATA || error == -EPERM) {
		count_seen(armed);
		return wait_until_armed(armed);
	}
	if (error && !(whole && error == -ESRCH))
		return error;
	armed->unarmed = 0;
	seen = count_seen(armed);
	return whole ? !error : seen > 0;
}

int armed_is(const struct armed *armed, const struct taskrt_alert *alert)
{
	return target_has(&armed->processes, alert->tgid) ||
	       target_has(&armed->processes, -alert->tgid) || find(armed, alert->tid);
}

void armed_close(struct armed *armed)
{
	taskrt_close(armed->owner);
	taskrt_close(armed->asker);
	target_free(&armed->processes);
	free(armed->threads);
}
