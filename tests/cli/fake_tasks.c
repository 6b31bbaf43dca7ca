// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tasks of the fake libtaskrt.  The ids it knows: process 100 with the threads 100 and
 * 101; thread 7, a kernel thread, or, with "namesakes", a process with the name of process
 * 100; 200 may not be read, 201 is not tracked; everything of a
 * child that run or watch started; nothing else.  Of what run reads of children, $FAKE names
 * what is different:
 *
 *   descendants-none     neither the command nor taskrt have any
 *   descendants-pending  the totals of some never become final
 *   descendants-signal   $FAKE_SIGNALS come when they are read
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"
#include "fake_top.h"

/* May it not be read any more, because it was asked for a few times, or has it ended since? */
static int hides(struct taskrt *handle, pid_t id)
{
	int asked = fake("arm-hides") ? handle->asked++ : 0;

	if (id == 101)
		return fake_answer(handle, asked <= 8 ? 0 : -ESRCH);
	return fake_answer(handle, asked < 2 ? 0 : asked < 8 || id != 100 ? -EPERM : -ESRCH);
}

static int refuses(struct taskrt *handle, pid_t id)
{
	if (fake("gone"))
		return fake_answer(handle, -ENODEV);
	if (fake("off"))
		return fake_answer(handle, -ENODATA);
	if (id == 200)
		return fake_answer(handle, -EPERM);
	if (id == 201)
		return fake_answer(handle, -ENODATA);
	if (id == 202)
		return fake_answer(handle, -ERANGE);
	if (fake("arm-ends") && handle->asked++ >= 2)
		return fake_answer(handle, -ESRCH);
	return hides(handle, id);
}

/* The child of run: its id is not known before, so any child of ours will do. */
static int is_child(pid_t id)
{
	return getpgid(id) == getpgrp() && id != getpid() && id > 300;
}

static void fill_child(struct taskrt_reading *reading, pid_t tid)
{
	siginfo_t info = { 0 };

	waitid(P_PID, (id_t)tid, &info, WEXITED | WNOHANG | WNOWAIT);
	if (info.si_pid)
		fake_ended(reading, (uint32_t)tid, (uint32_t)tid, 0);
	else
		fake_fill(reading, (uint32_t)tid, (uint32_t)tid);
}

static int get_thread(struct taskrt *handle, pid_t tid, struct taskrt_reading *reading)
{
	int error = refuses(handle, tid);

	if (error)
		return error;
	if (tid == 7)
		fake_fill(reading, 7, 7);
	else if (tid == 100 || tid == 101)
		fake_fill(reading, (uint32_t)tid, 100);
	else if (is_child(tid))
		fill_child(reading, tid);
	else
		return fake_answer(handle, -ESRCH);
	fake_spoil(reading);
	return 0;
}

static int get_process(struct taskrt *handle, pid_t tgid, struct taskrt_reading *reading)
{
	int error = refuses(handle, tgid);

	if (error)
		return error;
	if (tgid != 1 && tgid != 100 && !is_child(tgid) && !(tgid == 7 && fake("namesakes")))
		return fake_answer(handle, -ESRCH);
	if (is_child(tgid)) {
		fake_ended(reading, 0, (uint32_t)tgid, 0);
		return 0;
	}
	fake_fill(reading, 0, (uint32_t)tgid);
	fake_spoil(reading);
	return 0;
}

static void clear(struct taskrt_reading *reading)
{
	memset(reading->times.states_ns, 0, sizeof(reading->times.states_ns));
	reading->stats.threads_gone = 0;
	reading->stats.cpu_time_ns = 0;
	reading->stats.tracked_time_ns = 0;
}

static void double_words(void *words, size_t size)
{
	__u64 *word = words;

	for (size /= sizeof(*word); size--; word++)
		*word *= 2;
}

/* Those of taskrt are as many as before the command, whose orphans come to them. */
static void add_orphans(struct taskrt_reading *reading)
{
	double_words(&reading->times, sizeof(reading->times));
	double_words(&reading->counts, sizeof(reading->counts));
	double_words(&reading->stats.cpu_time_ns, sizeof(__u64));
	double_words(&reading->stats.tracked_time_ns, sizeof(__u64));
	double_words(&reading->stats.threads_gone, sizeof(__u64));
}

static int has_ended_child(void)
{
	siginfo_t info = { 0 };

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

static int get_children(struct taskrt *handle, pid_t tgid, struct taskrt_reading *reading)
{
	int error = fake("nochildren") ? fake_answer(handle, -EOPNOTSUPP) :
		    get_process(handle, tgid ? tgid : 100, reading);

	if (error)
		return error;
	reading->stats.entity = TASKRT_ENTITY_CHILDREN;
	reading->stats.threads_gone += reading->stats.threads;
	reading->stats.threads = 0;
	if (tgid == 1 || fake("descendants-none"))
		clear(reading);
	if (fake("descendants-pending"))
		reading->stats.flags |= TASKRT_FLAG_PENDING;
	if (!has_ended_child())
		return 0;
	if (fake("descendants-signal"))
		fake_signal();
	if (!tgid)
		add_orphans(reading);
	return 0;
}

int taskrt_get(struct taskrt *handle, uint32_t entity, uint64_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size)
{
	static const char * const words[] = { "thread", "process", "children" };
	int error;

	if (size != sizeof(*reading) || entity > TASKRT_ENTITY_CHILDREN)
		return fake_answer(handle, -EINVAL);
	fake_asked(words[entity], groups);
	if (entity == TASKRT_ENTITY_THREAD)
		error = get_thread(handle, id ? (pid_t)id : 100, reading);
	else if (entity == TASKRT_ENTITY_PROCESS)
		error = get_process(handle, id, reading);
	else
		error = get_children(handle, id, reading);
	if (!error)
		fake_keep(reading, groups);
	return error;
}

/* Those of kernels before 6.10 do not know it. */
int taskrt_get_sites(struct taskrt *handle, const struct taskrt_reading *reading,
		     struct taskrt_sites *sites, size_t size)
{
	if (!(reading->groups & TASKRT_GROUP_LONGEST) ||
	    reading->stats.entity > TASKRT_ENTITY_PROCESS)
		return fake_answer(handle, -EINVAL);
	if (fake("nolock"))
		return fake_answer(handle, -EOPNOTSUPP);
	memset(sites, 0, size);
	strcpy(sites->states[TASKRT_STATE_BLOCKED_LOCK], "ext4_buffered_write_iter [ext4]");
	return 0;
}

static int each(struct taskrt *handle, const struct taskrt_query *query, taskrt_each_fn fn,
		void *arg)
{
	static const pid_t ids[] = { 7, 100, 101 };
	struct taskrt_reading reading;
	pid_t tgid = query->tgid;
	size_t i;

	/* A dump leaves out what may not be read, and what is not tracked. */
	if (tgid == 200 || tgid == 201 || (tgid && hides(handle, tgid) == -EPERM))
		return 0;
	if (tgid && is_child(tgid)) {
		int error = get_thread(handle, tgid, &reading);

		fake_keep(&reading, query->groups);
		return error ? error : fn(&reading, arg);
	}
	if (tgid == 7 && fake("namesakes")) {
		get_thread(handle, 7, &reading);
		fake_keep(&reading, query->groups);
		return fn(&reading, arg);
	}
	if (tgid && tgid != 100)
		return refuses(handle, tgid) ? handle->error : fake_answer(handle, -ESRCH);
	for (i = tgid ? 1 : 0; i < 3; i++) {
		int error = get_thread(handle, ids[i], &reading);

		fake_keep(&reading, query->groups);
		if (!error)
			error = fn(&reading, arg);
		if (error)
			return error;
	}
	if (fake("eintr") || (fake("eintr-once") && !handle->lists++))
		return fake_answer(handle, -EINTR);
	return 0;
}

int taskrt_each(struct taskrt *handle, const struct taskrt_query *query, size_t size,
		size_t reading_size, taskrt_each_fn fn, void *arg)
{
	if (size != sizeof(*query) || reading_size != sizeof(struct taskrt_reading))
		return fake_answer(handle, -EINVAL);
	fake_asked("each", query->groups);
	return fake_top() ? fake_top_each(handle, query, fn, arg) : each(handle, query, fn, arg);
}
