// SPDX-License-Identifier: GPL-2.0-only
/* What the fake libtaskrt reads of a task, and what $FAKE makes of it. */
#include <string.h>
#include <taskrt.h>

#include "fake.h"
#include "fake_reading.h"
#include "fake_top.h"

#define MS	1000000ULL
#define V1	(TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME)

int fake_counts_cycles(void)
{
	return fake("new") || fake("cycles");
}

/* The numbers that the library has a name for. */
static uint64_t named(const char *(*name)(unsigned int), unsigned int room)
{
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < room; i++)
		bits |= (uint64_t)!!name(i) << i;
	return bits;
}

static void measure_every(struct taskrt_measured *measured)
{
	measured->states = (uint32_t)named(taskrt_state_name, TASKRT_STATES_ROOM);
	measured->timers = (uint32_t)named(taskrt_timer_name, TASKRT_TIMERS_ROOM);
	measured->locks = (uint32_t)named(taskrt_lock_name, TASKRT_LOCKS_ROOM);
	measured->values = named(taskrt_value_name, TASKRT_VALUES_ROOM);
}

/* But for "every", this does not grow with the interface, and neither do the outputs. */
void fake_measure(struct taskrt_measured *measured)
{
	*measured = (struct taskrt_measured){
		.states = 0xfff, .timers = 0x3, .locks = 0x1f, .values = 0x1ff,
	};
	if (fake("every"))
		measure_every(measured);
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
	if (!fake_counts_cycles())
		return;
	counts->values[TASKRT_VALUE_CYCLES] = 3000000000;
	counts->values[TASKRT_VALUE_INSTRUCTIONS] = 4000000000;
	counts->values[TASKRT_VALUE_CYCLES_NS] = 900 * MS;
}

/* Return: the sum. */
static uint64_t fill_array(__u64 *array, uint64_t measured, uint64_t first, uint64_t step)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (!taskrt_measures(measured, i))
			continue;
		array[i] = first + i * step;
		sum += array[i];
	}
	return sum;
}

static void fill_longest(struct taskrt_longest *array, uint64_t measured, uint64_t first_ns)
{
	unsigned int i;

	for (i = 0; i < 64; i++)
		if (taskrt_measures(measured, i))
			array[i] = (struct taskrt_longest){ first_ns + i, (3000 + i) * MS };
}

/* Each element is another number, which json_fields.py knows. */
static void fill_every(struct taskrt_reading *r)
{
	const struct taskrt_measured *measured = &r->stats.measured;

	r->stats.tracked_time_ns = fill_array(r->times.states_ns, measured->states, MS, MS);
	fill_array(r->times.timers_ns, measured->timers, 100000, 1000);
	fill_array(r->times.locks_ns, measured->locks, 10000, 1000);
	fill_array(r->counts.states, measured->states, 1000, 1);
	fill_array(r->counts.timers, measured->timers, 2000, 1);
	fill_array(r->counts.locks, measured->locks, 3000, 1);
	fill_array(r->counts.values, measured->values, 4000, 1);
	fill_longest(r->longests.states, measured->states, 500);
	fill_longest(r->longests.timers, measured->timers, 600);
}

void fake_fill(struct taskrt_reading *r, uint32_t tid, uint32_t tgid)
{
	static unsigned int created;
	struct taskrt_stats *s = &r->stats;

	memset(r, 0, sizeof(*r));
	fake_begin(r, tid != 0);
	fill_totals(s);
	fill_times(&r->times);
	fill_counts(&r->counts);
	fill_longests(&r->longests);
	if (fake("every"))
		fill_every(r);
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

	if (s->tid == 7 && !fake("namesakes")) {
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
	if (fake("uptime")) {
		s->sample_time_ns += 100 * 86400 * 1000ULL * MS;
		s->start_time_ns += 100 * 86400 * 1000ULL * MS;
	}
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

	fake_fill(r, tid, tgid);
	s->threads_gone += s->threads;
	s->threads = 0;
	s->state = TASKRT_STATE_EXITED;
	s->flags = TASKRT_FLAG_EXITED;
	s->exit_code = exit_code;
	fake_spoil(r);
}
