// SPDX-License-Identifier: GPL-2.0-only
#include "compat/clock.h"
#include "task/counters.h"
#include "task/delays.h"
#include "task/sample.h"
#include "task/throttle.h"

/*
 * A sample of another thread is this far in the past.  A store of a hook becomes visible in much
 * less time, even if the hook reads the clock early (clock_read_early()).  So a switch that the
 * reader does not see yet is later than the sample, and takes back no reported time.
 */
#define READ_GUARD_NS		2000

/* Each event of the thread spoils a try.  Callers that hold a lock give up after this many. */
#define TRIES			1000

/* Gets the totals at one instant.  Return: the instant; 0 if the thread changed during this. */
static u64 sample_thread_once(struct thread *t, struct totals *totals, u32 groups)
{
	const u64 guard = t->task == current ? 0 : READ_GUARD_NS;
	struct totals_wait wait = {};
	u64 seq, now, at;

	seq = record_read_begin(&t->record);
	now = clock_now() - guard;
	if (unlikely(throttle_any()))
		wait = throttle_wait(t, now);
	at = totals_of_wait(totals, &t->record, &wait, now, groups);
	return record_read_retry(&t->record, seq) ? 0 : at;
}

bool sample_thread_totals(struct thread *t, struct totals *totals, u32 groups)
{
	int tries = TRIES;

	while (!sample_thread_once(t, totals, groups))
		if (!--tries)
			return false;
	return true;
}

static void thread_delays(const struct thread *t, bool freed, struct totals *totals)
{
	totals->delays_unknown = freed ? !t->task_kept : !delays_counted(t->task);
	if (!totals->delays_unknown)
		delays_add(totals, t->task);
}

void thread_of_kernel(const struct thread *t, struct totals *totals, u32 groups)
{
	const bool freed = smp_load_acquire(&t->freed);	/* pairs with thread_freed() */
	struct counters counters;

	thread_delays(t, freed, totals);
	if (!(groups & TASKRT_GROUP_COUNTS))
		return;
	if (freed) {
		counters_put(totals->values, &t->counters);
	} else {
		counters_of_task(&counters, t->task);
		counters_put(totals->values, &counters);
	}
}

void thread_sample(struct thread *t, struct sample *s, u32 groups)
{
	do
		s->at = sample_thread_once(t, &s->totals, groups);
	while (!s->at);
	s->state = s->totals.state;
	thread_add_before(t, &s->totals);
	thread_of_kernel(t, &s->totals, groups);
	s->tracked_since = t->record.tracked_since;
	s->cpu = task_cpu(t->task);
	s->threads = 0;
	s->threads_gone = 0;
	s->preexisting = t->preexisting;
	s->incomplete = READ_ONCE(t->incomplete);
	s->queue_unknown = false;
	s->pending = false;
}

void thread_add_last(const struct thread *t, struct totals *sum)
{
	totals_add_record(sum, &t->record);
	thread_add_before(t, sum);
	counters_add(sum->values, &t->counters);
	if (t->task_kept)
		delays_add(sum, t->task);
	else
		sum->delays_unknown = true;
}
