// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads of the fake libtaskrt.  $FAKE_TOP is their number; from one look to
 * the next a second passes, and what they do in it is always the same, so what
 * the command shows is known.
 *
 * Four make a process.  After the second look thread 3 is gone, thread 5's id
 * belongs to another, and there is a new one behind the last, half a second old.
 * Every tenth is SCHED_FIFO.
 *
 * The first has the id $FAKE_TOP_FIRST, or else FAKE_TOP_TID; two of three are of the user
 * $FAKE_TOP_UID, or else FAKE_TOP_UID.
 *
 * With $FAKE_TOP_ALIKE all are of the process of the first.
 *
 * $FAKE_TOP_THEN names what goes wrong at the third and fourth look:
 *
 *   gone, off	the module is unloaded, accounting switched off
 *   eintr	the list lacks one in the middle and has another twice, however often it
 *		is requested
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "fake_reading.h"
#include "fake_top.h"

#define MS	1000000ULL

static unsigned int looks, tries;
unsigned int fake_top_classes;

unsigned int fake_top(void)
{
	const char *count = getenv("FAKE_TOP");

	return count ? (unsigned int)atoi(count) : 0;
}

static unsigned int first(void)
{
	const char *id = getenv("FAKE_TOP_FIRST");

	return id ? (unsigned int)atoi(id) : FAKE_TOP_TID;
}

static int then(const char *what)
{
	const char *chosen = getenv("FAKE_TOP_THEN");

	return chosen && !strcmp(chosen, what) && (looks == 2 || looks == 3);
}

static uint32_t user(void)
{
	const char *id = getenv("FAKE_TOP_UID");

	return id ? (uint32_t)strtoul(id, NULL, 10) : FAKE_TOP_UID;
}

void fake_top_begin(unsigned int count, const char *then)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", count);
	setenv("FAKE_TOP", text, 1);
	setenv("FAKE_TOP_THEN", then ? then : "", 1);
	looks = 0;
	fake_top_classes = 0;
}

/* An attempt to open the module counts as a look: the caller has seen that it is gone. */
int fake_top_absent(void)
{
	if (!fake_top() || !then("gone"))
		return 0;
	looks++;
	return 1;
}

int fake_top_off(void)
{
	const char *chosen = getenv("FAKE_TOP_THEN");

	return chosen && !strcmp(chosen, "off");
}

uint64_t fake_top_spends(unsigned int thread, unsigned int state)
{
	uint64_t busy = thread * 37 % 101 * 8 * MS;

	switch (state) {
	case TASKRT_STATE_RUNNING:
		return busy;
	case TASKRT_STATE_WOKEN:
		return thread % 5 ? 0 : 50 * MS;
	case TASKRT_STATE_BLOCKED_LOCK:
		return thread % 7 ? 0 : 20 * MS + 1;
	case TASKRT_STATE_BLOCKED_IO:
		return thread % 11 ? 0 : 30 * MS;
	case TASKRT_STATE_SLEEPING_FUTEX:
		return FAKE_TOP_SECOND - busy - (thread % 5 ? 0 : 50 * MS) -
		       (thread % 7 ? 0 : 20 * MS + 1) - (thread % 11 ? 0 : 30 * MS);
	default:
		return 0;
	}
}

/*
 * All of the running time is counted.  The first thread runs on 1 GHz, each further one on a
 * tenth more, and takes 0.5 cycles for an instruction, each further one 0.7 more.
 */
static void fill_cycles(struct taskrt_reading *r, unsigned int thread)
{
	const uint64_t ns = r->times.states_ns[TASKRT_STATE_RUNNING];
	const uint64_t cycles = ns * (10 + thread) / 10;

	if (!taskrt_measures(r->stats.measured.values, TASKRT_VALUE_CYCLES))
		return;
	r->counts.values[TASKRT_VALUE_CYCLES] = cycles;
	r->counts.values[TASKRT_VALUE_INSTRUCTIONS] = cycles * 10 / (5 + 7 * thread);
	r->counts.values[TASKRT_VALUE_CYCLES_NS] = ns;
}

/* From the ninth on they are of the kernel; all of these but the tenth sleep. */
static void become_kernel(struct taskrt_reading *r, unsigned int thread, uint64_t lived_ns)
{
	if (thread < 8)
		return;
	r->stats.flags |= TASKRT_FLAG_KTHREAD;
	if (thread == 9)
		return;
	memset(r->times.states_ns, 0, sizeof(r->times.states_ns));
	r->times.states_ns[TASKRT_STATE_SLEEPING] = lived_ns;
}

/* Fills the reading of a thread that has spent each second of its life in the same way. */
static void fill(struct taskrt_reading *r, unsigned int thread, uint64_t lived_ns)
{
	struct taskrt_stats *s = &r->stats;
	unsigned int state;

	memset(r, 0, sizeof(*r));
	fake_begin(r, 1);
	s->sample_time_ns = (5 + looks) * FAKE_TOP_SECOND;
	s->start_time_ns = s->tracked_since_ns = s->sample_time_ns - lived_ns;
	s->tracked_time_ns = lived_ns;
	s->tid = first() + thread;
	s->tgid = getenv("FAKE_TOP_ALIKE") ? first() : s->tid - thread % 4;
	s->uid = thread % 3 ? user() : 0;
	s->state = thread % 2 ? TASKRT_STATE_SLEEPING_FUTEX : TASKRT_STATE_RUNNING;
	snprintf(s->comm, sizeof(s->comm), "worker/%u", thread);
	for (state = 0; state < TASKRT_STATES_ROOM; state++)
		r->times.states_ns[state] = fake_top_spends(thread, state) * (lived_ns / MS) / 1000;
	r->counts.values[TASKRT_VALUE_VOLUNTARY_SWITCHES] = thread * (lived_ns / MS) / 1000;
	r->counts.values[TASKRT_VALUE_MINOR_FAULTS] = lived_ns / FAKE_TOP_SECOND;
	r->counts.values[TASKRT_VALUE_SYSTEM_NS] = lived_ns / 1000 * thread;
	fill_cycles(r, thread);
	if (fake("kthreads"))
		become_kernel(r, thread, lived_ns);
}

static int tell(unsigned int thread, const struct taskrt_query *query, taskrt_each_fn fn,
		void *arg)
{
	uint64_t lived_ns = (1 + looks) * FAKE_TOP_SECOND;
	struct taskrt_reading reading;

	if (looks >= 2 && thread == 3)
		return 0;
	if (looks >= 2 && thread == 5)
		lived_ns = (looks - 2) * FAKE_TOP_SECOND + 250 * MS;
	if (thread == fake_top()) {
		if (looks < 2)
			return 0;
		lived_ns = (looks - 2) * FAKE_TOP_SECOND + 500 * MS;
	}
	fill(&reading, thread, lived_ns);
	fake_spoil(&reading);
	if (query->tgid && query->tgid != (pid_t)reading.stats.tgid)
		return 0;
	fake_keep(&reading, query->groups);
	return fn(&reading, arg);
}

int fake_top_each(struct taskrt *handle, const struct taskrt_query *query, taskrt_each_fn fn,
		  void *arg)
{
	unsigned int i, count = fake_top();
	int interrupted = then("eintr"), error = 0;

	if (looks >= 2)
		fake_signal();
	if (then("gone")) {
		looks++;
		return fake_answer(handle, -ENODEV);
	}
	if (then("off")) {
		looks++;
		return fake_answer(handle, -ENODATA);
	}
	for (i = 0; i <= count && !error; i++)
		if (!interrupted || i != count / 2)
			error = tell(i, query, fn, arg);
	if (!error && interrupted) {
		error = tell(1, query, fn, arg);
		/* The fifth is taken as it is. */
		looks += ++tries % 5 == 0;
		return error ? error : fake_answer(handle, -EINTR);
	}
	looks++;
	return error;
}

/* Replaces the C library's function, for threads that do not exist. */
int sched_getscheduler(pid_t tid)
{
	const pid_t thread = tid - (pid_t)first();

	fake_top_classes++;
	if (thread < 0 || thread == 2) {
		errno = ESRCH;
		return -1;
	}
	return thread % 10 ? SCHED_OTHER : SCHED_FIFO | 0x40000000;
}

int sched_getparam(pid_t tid, struct sched_param *param)
{
	param->sched_priority = 50 + (tid - (pid_t)first()) % 40;
	return 0;
}
