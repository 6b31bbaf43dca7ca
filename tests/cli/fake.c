// SPDX-License-Identifier: GPL-2.0-only
/*
 * A libtaskrt without a module: what the command shows can be held, byte by
 * byte, against what it was told.  $FAKE names what goes wrong:
 *
 *   absent, proto, sandbox, full  taskrt_open() fails so
 *   off                     accounting is switched off
 *   gone                    the module is unloaded after open
 *   eintr                   a list never comes out whole
 *   eintr-once              ... but for the first time
 *   v1                      a module that knows version 1 only
 *   nolock                  a kernel without lock hooks
 *   nochildren              a kernel where the children's totals are not measured
 *   broken                  every problem that diagnose knows
 *   interrupt               the interrupt key is pressed as soon as a command is forked
 *   no-memory               json-c has none for a text
 *   late                    ended, tracked late, coarse, a name full of control characters
 *
 * What it tells of exits is in fake_exits.c, of alerts in fake_alerts.c, of itself in
 * fake_info.c, and of many threads, if $FAKE_TOP says so, in fake_top.c.
 *
 * $FAKE_SOCKET names a file that is opened as the socket would be.
 *
 * The ids it knows: process 100 with the threads 100 and 101; thread 7, a kernel
 * thread; 200 may not be read, 201 is not tracked; of a child that run or watch
 * started everything; nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_top.h"

#define MS	1000000ULL
#define V1	(TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME)

struct taskrt {
	int error;
	int lists;
	int asked;
	int socket;
};

int fake(const char *what)
{
	const char *chosen = getenv("FAKE");

	return chosen && !strcmp(chosen, what);
}

static void interrupt(void)
{
	raise(SIGINT);
}

int taskrt_open(struct taskrt **handle)
{
	*handle = NULL;
	if (fake("interrupt"))
		pthread_atfork(NULL, NULL, interrupt);
	if (fake("absent") || fake_top_absent())
		return -ENOENT;
	if (fake("proto"))
		return -EPROTO;
	if (fake("sandbox"))
		return -EAFNOSUPPORT;
	if (fake("full"))
		return -EMFILE;
	*handle = calloc(1, sizeof(**handle));
	if (!*handle)
		return -ENOMEM;
	/* It takes the lowest free descriptor, and what is written into it by mistake stays. */
	(*handle)->socket = open(getenv("FAKE_SOCKET") ?: "/dev/null", O_RDWR | O_CLOEXEC);
	return 0;
}

void taskrt_close(struct taskrt *handle)
{
	if (handle)
		close(handle->socket);
	free(handle);
}

const char *taskrt_error(const struct taskrt *handle)
{
	return handle->error == -ERANGE ? "the kernel's own words" : strerror(-handle->error);
}

int fake_answer(struct taskrt *handle, int error)
{
	handle->error = error;
	return error;
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
	return 0;
}

static void fill_totals(struct taskrt_stats *s)
{
	s->cpu_time_ns = 1234567890;
	s->queue_time_ns = 45600000;
	s->page_fault_time_ns = 9990000;
	s->lock_contention_time_ns = 3000001;
	s->sample_time_ns = 5000 * MS;
	s->tracked_since_ns = 2000 * MS;
	s->tracked_time_ns = 3000 * MS;
	s->start_time_ns = 2000 * MS - 5000;
	s->states_ns[TASKRT_STATE_RUNNING] = 1000 * MS;
	s->states_ns[TASKRT_STATE_PREEMPTED] = 1;
	s->states_ns[TASKRT_STATE_BLOCKED_LOCK] = 1000 * MS;
	s->states_ns[TASKRT_STATE_SLEEPING_FUTEX] = 1000 * MS - 1;
	s->longest_state[TASKRT_STATE_RUNNING] = (struct taskrt_longest){ 12 * MS, 3000 * MS };
	s->longest_state[TASKRT_STATE_PREEMPTED] = (struct taskrt_longest){ 1, 4999 * MS };
	s->longest_state[TASKRT_STATE_BLOCKED_LOCK] = (struct taskrt_longest){ 2 * MS, 2500 * MS };
	s->longest_fault = (struct taskrt_longest){ 998500, 2100123456 };
}

static void fill_counts(struct taskrt_stats *s)
{
	s->voluntary_switches = 18446744073709551615ULL;
	s->involuntary_switches = 2;
	s->wakeups = 3;
	s->minor_faults = 40;
	s->major_faults = 1;
	s->minor_fault_time_ns = 5990000;
	s->major_fault_time_ns = 4000000;
	s->lock_time_ns[TASKRT_LOCK_MUTEX] = 3000000;
	s->lock_count[TASKRT_LOCK_MUTEX] = 7;
	s->lock_time_ns[TASKRT_LOCK_RWSEM_READ] = 1;
	s->lock_count[TASKRT_LOCK_RWSEM_READ] = 1;
}

static void fill(struct taskrt_stats *s, uint32_t tid, uint32_t tgid)
{
	memset(s, 0, sizeof(*s));
	s->version = fake("v1") ? 1 : 3;
	s->size = fake("v1") ? TASKRT_STATS_SIZE_V1 : TASKRT_STATS_SIZE_V3;
	s->valid = FAKE_VALID & ~(tid ? TASKRT_VALID_THREADS : TASKRT_VALID_STATE);
	fill_totals(s);
	fill_counts(s);
	s->tid = tid;
	s->tgid = tgid;
	s->ppid = 1;
	s->uid = 1000;
	s->gid = 1001;
	s->state = TASKRT_STATE_SLEEPING_FUTEX;
	strcpy(s->comm, "audio \"rt\"");
	s->threads = tid ? 0 : 2;
	s->threads_gone = tid ? 0 : 10;
}

void fake_spoil(struct taskrt_stats *s)
{
	if (s->tid == 7) {
		s->flags |= TASKRT_FLAG_KTHREAD;
		s->state = TASKRT_STATE_SLEEPING;
		strcpy(s->comm, "kworker/u4:0-ev");
	}
	if (fake("late")) {
		s->flags |= TASKRT_FLAG_LATE | TASKRT_FLAG_EXITED | TASKRT_FLAG_COARSE |
			    TASKRT_FLAG_INCOMPLETE;
		s->exit_code = 9;
		s->start_time_ns = 1000 * MS;
		s->state = TASKRT_STATE_EXITED;
		memcpy(s->comm, "\033[2J\n\302\233\377\303\251abcdefg", 16);
	}
	if (fake("nolock")) {
		s->valid &= ~FAKE_LOCKS;
		s->states_ns[TASKRT_STATE_BLOCKED_OTHER] = s->states_ns[TASKRT_STATE_BLOCKED_LOCK];
		s->states_ns[TASKRT_STATE_BLOCKED_LOCK] = 0;
		s->lock_contention_time_ns = 0;
		memset(s->lock_time_ns, 0, sizeof(s->lock_time_ns));
		memset(s->lock_count, 0, sizeof(s->lock_count));
	}
	if (fake("v1")) {
		s->valid &= V1;
		memset((char *)s + TASKRT_STATS_SIZE_V1, 0, sizeof(*s) - TASKRT_STATS_SIZE_V1);
	}
}

void fake_ended(struct taskrt_stats *s, uint32_t tid, uint32_t tgid, uint32_t exit_code)
{
	fill(s, tid, tgid);
	s->threads_gone += s->threads;
	s->threads = 0;
	s->state = TASKRT_STATE_EXITED;
	s->flags = TASKRT_FLAG_EXITED;
	s->exit_code = exit_code;
	fake_spoil(s);
}

/* The child of run: its id is not known before, so any child of ours will do. */
static int is_child(pid_t id)
{
	return getpgid(id) == getpgrp() && id != getpid() && id > 300;
}

static void fill_child(struct taskrt_stats *stats, pid_t tid)
{
	siginfo_t info = { 0 };

	waitid(P_PID, (id_t)tid, &info, WEXITED | WNOHANG | WNOWAIT);
	if (info.si_pid)
		fake_ended(stats, (uint32_t)tid, (uint32_t)tid, 0);
	else
		fill(stats, (uint32_t)tid, (uint32_t)tid);
}

int taskrt_get_thread(struct taskrt *handle, pid_t tid, struct taskrt_stats *stats, size_t size)
{
	int error = refuses(handle, tid);

	(void)size;
	if (error)
		return error;
	if (tid == 7)
		fill(stats, 7, 7);
	else if (tid == 100 || tid == 101)
		fill(stats, (uint32_t)tid, 100);
	else if (is_child(tid))
		fill_child(stats, tid);
	else
		return fake_answer(handle, -ESRCH);
	fake_spoil(stats);
	return 0;
}

int taskrt_get_process(struct taskrt *handle, pid_t tgid, struct taskrt_stats *stats, size_t size)
{
	int error = refuses(handle, tgid);

	(void)size;
	if (error)
		return error;
	if (tgid != 1 && tgid != 100 && !is_child(tgid))
		return fake_answer(handle, -ESRCH);
	if (is_child(tgid))
		fake_ended(stats, 0, (uint32_t)tgid, 0);
	else
		fill(stats, 0, (uint32_t)tgid);
	fake_spoil(stats);
	return 0;
}

int taskrt_get_children(struct taskrt *handle, pid_t tgid, struct taskrt_stats *stats, size_t size)
{
	int error = fake("nochildren") ? fake_answer(handle, -EOPNOTSUPP) :
		    taskrt_get_process(handle, tgid, stats, size);

	if (error)
		return error;
	stats->threads_gone += stats->threads;
	stats->threads = 0;
	if (tgid != 1)
		return 0;
	memset(stats->states_ns, 0, sizeof(stats->states_ns));
	stats->threads_gone = 0;
	return 0;
}

int taskrt_get_self(struct taskrt *handle, struct taskrt_stats *stats, size_t size)
{
	return taskrt_get_thread(handle, 100, stats, size);
}

int taskrt_each_thread(struct taskrt *handle, pid_t tgid, taskrt_each_fn fn, void *arg)
{
	static const pid_t ids[] = { 7, 100, 101 };
	struct taskrt_stats stats;
	size_t i;

	if (fake_top())
		return fake_top_each(handle, tgid, fn, arg);
	if (tgid > 0 && is_child(tgid))
		return taskrt_get_thread(handle, tgid, &stats, sizeof(stats)) ?: fn(&stats, arg);
	if (tgid != TASKRT_ALL && tgid != 100)
		return tgid == 200 ? 0 : refuses(handle, tgid) ? handle->error :
		       fake_answer(handle, -ESRCH);
	for (i = tgid == TASKRT_ALL ? 0 : 1; i < 3; i++) {
		int error = taskrt_get_thread(handle, ids[i], &stats, sizeof(stats));

		if (!error)
			error = fn(&stats, arg);
		if (error)
			return error;
	}
	if (fake("eintr") || (fake("eintr-once") && !handle->lists++))
		return fake_answer(handle, -EINTR);
	return 0;
}
