// SPDX-License-Identifier: GPL-2.0-only
/*
 * A libtaskrt without a module: the command's output can be compared, byte by byte, with
 * what the library returned.  $FAKE names what goes wrong:
 *
 *   absent, proto, sandbox, full  taskrt_open() fails for this reason
 *   off                     accounting is switched off
 *   gone                    the module is unloaded after open
 *   eintr                   every list is interrupted
 *   eintr-once              only the first list is interrupted
 *   v1                      a module that knows version 1 only
 *   nolock                  a kernel without lock hooks
 *   nochildren              a kernel where the children's totals are not measured
 *   broken                  every problem that diagnose knows
 *   interrupt               the interrupt key is pressed as soon as a command is forked
 *   no-memory               json-c has none for a text
 *   late                    ended, there before it was tracked, coarse, a name full of control
 *                           characters
 *   new                     a module that measures what no library knows of, and cycles
 *   cycles                  a module that counts cycles
 *   unobserved              nobody listens, and no thread is armed
 *   observed-later          so it is when INFO is requested first
 *   unmapped                /dev/taskrt may not be opened
 *   container               the uid is one of a container
 *   pending                 children are not all added yet, and some had ended before
 *
 * Exits are in fake_exits.c, alerts in fake_alerts.c, INFO in fake_info.c, and many
 * threads, if $FAKE_TOP says so, in fake_top.c.  $FAKE_ENABLED, see fake_bench.c, is the
 * file of the module's parameter.
 *
 * $FAKE_SIGNALS, such as "HUP TERM", are sent to the command one after the other: when it
 * has received all exits, and again when it asks for more; now and then in a flood; and at
 * each look of top from the third on.
 *
 * $FAKE_SOCKET names a file that is opened as the socket would be, $FAKE_ASKED one into
 * which each request is written, with its groups.
 *
 * The ids it knows: process 100 with the threads 100 and 101; thread 7, a kernel thread;
 * 200 may not be read, 201 is not tracked; everything of a child that run or watch
 * started; nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
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

/* Sends the next of $FAKE_SIGNALS, at a moment that depends only on what the command does. */
void fake_signal(void)
{
	static const struct { const char *name; int number; } signals[] = {
		{ "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP },
	};
	static size_t used;
	const char *names = getenv("FAKE_SIGNALS");
	size_t i, length;

	if (!names || used >= strlen(names))
		return;
	length = strcspn(names + used, " ");
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (length == strlen(signals[i].name) &&
		    !strncmp(names + used, signals[i].name, length))
			raise(signals[i].number);
	used += length + 1;
}

void fake_asked(const char *what, uint32_t groups)
{
	const char *name = getenv("FAKE_ASKED");
	FILE *file = name ? fopen(name, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "%s%s%s%s\n", what, groups & TASKRT_GROUP_TIMES ? " times" : "",
		groups & TASKRT_GROUP_COUNTS ? " counts" : "",
		groups & TASKRT_GROUP_LONGEST ? " longest" : "");
	if (groups & ~FAKE_GROUPS)
		fprintf(file, "%s and what there is not\n", what);
	fclose(file);
}

int fake_counts_cycles(void)
{
	return fake("new") || fake("cycles");
}

void fake_measure(struct taskrt_measured *measured)
{
	*measured = (struct taskrt_measured){
		.states = 0x1ffff, .timers = 0x3, .locks = 0x1f, .values = 0x1ff,
	};
	if (fake_counts_cycles())
		measured->values |= 1ULL << TASKRT_VALUE_CYCLES |
				    1ULL << TASKRT_VALUE_INSTRUCTIONS |
				    1ULL << TASKRT_VALUE_CYCLES_NS;
	if (!fake("new"))
		return;
	measured->states |= 1U << FAKE_NEW_STATE | 1U << FAKE_NAMELESS_STATE;
	measured->timers |= 1U << FAKE_NEW_TIMER;
	measured->locks |= 1U << FAKE_NEW_LOCK;
	measured->values |= 1ULL << FAKE_NEW_VALUE;
}

void fake_forget_locks(struct taskrt_measured *measured)
{
	measured->states &= ~(1U << TASKRT_STATE_BLOCKED_LOCK);
	measured->timers &= ~(1U << TASKRT_TIMER_LOCK);
	measured->locks = 0;
}

void fake_begin(struct taskrt_reading *r, int thread)
{
	struct taskrt_stats *s = &r->stats;

	s->version = fake("v1") ? 1 : 3;
	s->size = fake("v1") ? TASKRT_STATS_SIZE_V1 : TASKRT_STATS_SIZE_V3;
	s->valid = FAKE_VALID & ~(thread ? TASKRT_VALID_THREADS :
				  TASKRT_VALID_STATE | TASKRT_VALID_CPU);
	s->entity = thread ? TASKRT_ENTITY_THREAD : TASKRT_ENTITY_PROCESS;
	s->cpu = thread ? 2 : 0;
	s->cgroup = 4242;
	fake_measure(&s->measured);
}

void fake_keep(struct taskrt_reading *r, uint32_t groups)
{
	r->groups = fake("v1") ? 0 : groups & FAKE_GROUPS;
	if (!(r->groups & TASKRT_GROUP_TIMES))
		memset(&r->times, 0, sizeof(r->times));
	if (!(r->groups & TASKRT_GROUP_COUNTS))
		memset(&r->counts, 0, sizeof(r->counts));
	if (!(r->groups & TASKRT_GROUP_LONGEST))
		memset(&r->longests, 0, sizeof(r->longests));
}

int fake_answer(struct taskrt *handle, int error)
{
	handle->error = error;
	return error;
}

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
}

static void fill_times(struct taskrt_times *times)
{
	times->states_ns[TASKRT_STATE_RUNNING] = 1000 * MS;
	times->states_ns[TASKRT_STATE_PREEMPTED] = 1;
	times->states_ns[TASKRT_STATE_BLOCKED_LOCK] = 1000 * MS;
	times->states_ns[TASKRT_STATE_SLEEPING_FUTEX] = 1000 * MS - 1;
	times->timers_ns[TASKRT_TIMER_FAULT] = 9990000;
	times->timers_ns[TASKRT_TIMER_LOCK] = 3000001;
	times->locks_ns[TASKRT_LOCK_MUTEX] = 3000000;
	times->locks_ns[TASKRT_LOCK_RWSEM_READ] = 1;
}

static void fill_longests(struct taskrt_longests *longests)
{
	struct taskrt_longest *states = longests->states;

	states[TASKRT_STATE_RUNNING] = (struct taskrt_longest){ 12 * MS, 3000 * MS };
	states[TASKRT_STATE_PREEMPTED] = (struct taskrt_longest){ 1, 4999 * MS };
	states[TASKRT_STATE_BLOCKED_LOCK] = (struct taskrt_longest){ 2 * MS, 2500 * MS };
	longests->timers[TASKRT_TIMER_FAULT] = (struct taskrt_longest){ 998500, 2100123456 };
}

static void fill_counts(struct taskrt_counts *counts)
{
	counts->states[TASKRT_STATE_RUNNING] = 250;
	counts->states[TASKRT_STATE_PREEMPTED] = 1;
	counts->states[TASKRT_STATE_BLOCKED_LOCK] = 600;
	counts->timers[TASKRT_TIMER_FAULT] = 40;
	counts->timers[TASKRT_TIMER_LOCK] = 9;
	counts->locks[TASKRT_LOCK_MUTEX] = 7;
	counts->locks[TASKRT_LOCK_RWSEM_READ] = 1;
	counts->values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = 18446744073709551615ULL;
	counts->values[TASKRT_VALUE_INVOLUNTARY_SWITCHES] = 2;
	counts->values[TASKRT_VALUE_WAKEUPS] = 3;
	counts->values[TASKRT_VALUE_MINOR_FAULTS] = 40;
	counts->values[TASKRT_VALUE_MAJOR_FAULTS] = 1;
	counts->values[TASKRT_VALUE_MINOR_FAULT_NS] = 5990000;
	counts->values[TASKRT_VALUE_MAJOR_FAULT_NS] = 4000000;
	counts->values[TASKRT_VALUE_USER_NS] = 750 * MS;
	counts->values[TASKRT_VALUE_SYSTEM_NS] = 250 * MS;
}

static void fill(struct taskrt_reading *r, uint32_t tid, uint32_t tgid)
{
	static unsigned int created;
	struct taskrt_stats *s = &r->stats;

	memset(r, 0, sizeof(*r));
	fake_begin(r, tid != 0);
	fill_totals(s);
	fill_times(&r->times);
	fill_counts(&r->counts);
	fill_longests(&r->longests);
	s->tid = tid;
	s->tgid = tgid;
	s->ppid = 1;
	s->uid = 1000;
	s->gid = 1001;
	s->state = TASKRT_STATE_SLEEPING_FUTEX;
	strcpy(s->comm, "audio \"rt\"");
	s->threads = tid ? 0 : 2;
	s->threads_gone = tid ? 0 : 10;
	if (fake("arm-reused"))
		s->start_time_ns += created++;
}

static void spoil_locks(struct taskrt_reading *r)
{
	__u64 *states = r->times.states_ns;

	r->stats.valid &= ~TASKRT_VALID_LOCK_TIME;
	fake_forget_locks(&r->stats.measured);
	states[TASKRT_STATE_BLOCKED_OTHER] = states[TASKRT_STATE_BLOCKED_LOCK];
	states[TASKRT_STATE_BLOCKED_LOCK] = 0;
	r->stats.lock_contention_time_ns = 0;
	memset(r->times.locks_ns, 0, sizeof(r->times.locks_ns));
	memset(r->counts.locks, 0, sizeof(r->counts.locks));
}

/* The new states take their time from others, so that the states sum as before. */
static void spoil_new(struct taskrt_reading *r)
{
	struct taskrt_times *times = &r->times;
	struct taskrt_counts *counts = &r->counts;

	times->states_ns[TASKRT_STATE_BLOCKED_LOCK] -= 400 * MS;
	times->states_ns[FAKE_NEW_STATE] = 400 * MS;
	times->states_ns[TASKRT_STATE_SLEEPING_FUTEX] -= 300 * MS;
	times->states_ns[FAKE_NAMELESS_STATE] = 300 * MS;
	counts->states[FAKE_NEW_STATE] = 33;
	r->longests.states[FAKE_NEW_STATE] = (struct taskrt_longest){ 90 * MS, 4000 * MS };
	times->timers_ns[FAKE_NEW_TIMER] = 70 * MS;
	counts->timers[FAKE_NEW_TIMER] = 11;
	r->longests.timers[FAKE_NEW_TIMER] = (struct taskrt_longest){ 60 * MS, 4100 * MS };
	times->locks_ns[FAKE_NEW_LOCK] = 5 * MS;
	counts->locks[FAKE_NEW_LOCK] = 4;
	counts->values[FAKE_NEW_VALUE] = 777;
	counts->values[TASKRT_VALUE_CYCLES] = 3000000000;
	counts->values[TASKRT_VALUE_INSTRUCTIONS] = 4000000000;
	counts->values[TASKRT_VALUE_CYCLES_NS] = 900 * MS;
	if (r->stats.tid == 101)
		r->stats.state = FAKE_NEW_STATE;
}

static void spoil_new_of_many(struct taskrt_times *times)
{
	__u64 *states = times->states_ns;

	states[FAKE_NEW_STATE] = states[TASKRT_STATE_BLOCKED_LOCK];
	states[TASKRT_STATE_BLOCKED_LOCK] = 0;
	states[FAKE_NAMELESS_STATE] = states[TASKRT_STATE_BLOCKED_IO];
	states[TASKRT_STATE_BLOCKED_IO] = 0;
}

void fake_spoil(struct taskrt_reading *r)
{
	struct taskrt_stats *s = &r->stats;

	if (s->tid == 7) {
		s->flags |= TASKRT_FLAG_KTHREAD;
		s->state = TASKRT_STATE_SLEEPING;
		strcpy(s->comm, "kworker/u4:0-ev");
	}
	if (fake("late")) {
		s->flags |= TASKRT_FLAG_PREEXISTING | TASKRT_FLAG_EXITED | TASKRT_FLAG_COARSE |
			    TASKRT_FLAG_INCOMPLETE;
		s->exit_code = 9;
		s->start_time_ns = 1000 * MS;
		s->state = TASKRT_STATE_EXITED;
		memcpy(s->comm, "\033[2J\n\302\233\377\303\251abcdefg", 16);
	}
	if (fake("container"))
		s->uid = 1000100000;
	if (fake("pending")) {
		s->flags |= TASKRT_FLAG_PENDING;
		s->valid &= ~TASKRT_VALID_QUEUE_TIME;
		s->queue_time_ns = 0;
	}
	if (fake("nolock"))
		spoil_locks(r);
	if (fake("new") && fake_top())
		spoil_new_of_many(&r->times);
	else if (fake("new"))
		spoil_new(r);
	if (fake("v1")) {
		s->valid &= V1;
		memset((char *)s + TASKRT_STATS_SIZE_V1, 0, sizeof(*s) - TASKRT_STATS_SIZE_V1);
	}
}

void fake_ended(struct taskrt_reading *r, uint32_t tid, uint32_t tgid, uint32_t exit_code)
{
	struct taskrt_stats *s = &r->stats;

	fill(r, tid, tgid);
	s->threads_gone += s->threads;
	s->threads = 0;
	s->state = TASKRT_STATE_EXITED;
	s->flags = TASKRT_FLAG_EXITED;
	s->exit_code = exit_code;
	fake_spoil(r);
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
		fill(reading, (uint32_t)tid, (uint32_t)tid);
}

static int get_thread(struct taskrt *handle, pid_t tid, struct taskrt_reading *reading)
{
	int error = refuses(handle, tid);

	if (error)
		return error;
	if (tid == 7)
		fill(reading, 7, 7);
	else if (tid == 100 || tid == 101)
		fill(reading, (uint32_t)tid, 100);
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

	fake_read_process((uint32_t)tgid);
	if (error)
		return error;
	if (tgid != 1 && tgid != 100 && !is_child(tgid))
		return fake_answer(handle, -ESRCH);
	if (is_child(tgid))
		fake_ended(reading, 0, (uint32_t)tgid, 0);
	else
		fill(reading, 0, (uint32_t)tgid);
	fake_spoil(reading);
	return 0;
}

static int get_children(struct taskrt *handle, pid_t tgid, struct taskrt_reading *reading)
{
	int error = fake("nochildren") ? fake_answer(handle, -EOPNOTSUPP) :
		    get_process(handle, tgid ? tgid : 100, reading);

	if (error)
		return error;
	if (!tgid && fake_family_is_pending())
		reading->stats.flags |= TASKRT_FLAG_PENDING;
	reading->stats.entity = TASKRT_ENTITY_CHILDREN;
	reading->stats.threads_gone += reading->stats.threads;
	reading->stats.threads = 0;
	if (tgid != 1)
		return 0;
	memset(reading->times.states_ns, 0, sizeof(reading->times.states_ns));
	reading->stats.threads_gone = 0;
	reading->stats.cpu_time_ns = 0;
	return 0;
}

int taskrt_get(struct taskrt *handle, uint32_t entity, pid_t id, uint32_t groups,
	       struct taskrt_reading *reading, size_t size)
{
	static const char * const words[] = { "thread", "process", "children" };
	int error;

	if (size != sizeof(*reading) || entity > TASKRT_ENTITY_CHILDREN)
		return fake_answer(handle, -EINVAL);
	fake_asked(words[entity], groups);
	if (entity == TASKRT_ENTITY_THREAD)
		error = get_thread(handle, id ? id : 100, reading);
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
