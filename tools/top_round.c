// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at all threads, and what happened in each of them between two looks.
 *
 * Both lists are in ascending order of tid, so they are walked side by side.  A
 * thread is the same one where tid and start time are; one that began after the
 * round before has spent all that it has spent since then.  Of any other that
 * was not there before, for it could not be read or an interrupted list lacked
 * it, nothing is known for one round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "top_round.h"
#include "units.h"

#define CLASS_ROUNDS	4	/* a class is asked for anew after so many */

static const enum top_share share_of[TASKRT_NR_STATES] = {
	[TASKRT_STATE_RUNNING] = TOP_CPU,
	[TASKRT_STATE_PREEMPTED] = TOP_QUEUE,
	[TASKRT_STATE_WOKEN] = TOP_QUEUE,
	[TASKRT_STATE_BLOCKED_LOCK] = TOP_LOCK,
	[TASKRT_STATE_BLOCKED_FAULT] = TOP_FAULT,
	[TASKRT_STATE_BLOCKED_IO] = TOP_IO,
	[TASKRT_STATE_BLOCKED_OTHER] = TOP_BLOCK,
	[TASKRT_STATE_SLEEPING_FUTEX] = TOP_SLEEP,
	[TASKRT_STATE_SLEEPING_POLL] = TOP_SLEEP,
	[TASKRT_STATE_SLEEPING_TIMER] = TOP_SLEEP,
	[TASKRT_STATE_SLEEPING] = TOP_SLEEP,
	[TASKRT_STATE_STOPPED] = TOP_SLEEP,
};

static int by_tid(const void *one, const void *other)
{
	const struct taskrt_stats *a = one, *b = other;

	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* In ascending order, each once, whatever came. */
static void tidy(struct list *list)
{
	size_t i, kept = 0;

	for (i = 1; i < list->count; i++)
		if (list->threads[i].tid < list->threads[i - 1].tid)
			break;
	if (i < list->count)
		qsort(list->threads, list->count, sizeof(list->threads[0]), by_tid);
	for (i = 0; i < list->count; i++)
		if (!kept || list->threads[kept - 1].tid != list->threads[i].tid)
			list->threads[kept++] = list->threads[i];
	list->count = kept;
}

/* When it began: the earliest sample, but of those that have ended, which were sampled then. */
static uint64_t began(const struct list *list)
{
	uint64_t live = UINT64_MAX, ended = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct taskrt_stats *stats = &list->threads[i];

		if (stats->flags & TASKRT_FLAG_EXITED)
			ended = stats->sample_time_ns > ended ? stats->sample_time_ns : ended;
		else if (stats->sample_time_ns < live)
			live = stats->sample_time_ns;
	}
	return live != UINT64_MAX ? live : ended;
}

static void take_counts(struct top_row *row, const struct taskrt_stats *spent)
{
	unsigned int state;

	row->known = 1;
	row->valid = spent->valid;
	row->voluntary_switches = spent->voluntary_switches;
	row->involuntary_switches = spent->involuntary_switches;
	row->wakeups = spent->wakeups;
	row->minor_faults = spent->minor_faults;
	row->major_faults = spent->major_faults;
	for (state = 0; state < TASKRT_NR_STATES; state++) {
		if (!rank_measured(spent, state))
			continue;
		row->measured |= 1U << state;
		row->states_ns[state] = spent->states_ns[state];
	}
}

/*
 * What 100 % is.  Looking at many threads takes a while, so for one that was
 * there all the time it is its own; for one that was not it is the round's.
 */
static uint64_t base(const struct taskrt_stats *before, const struct taskrt_stats *after,
		     uint64_t spent_ns, uint64_t elapsed_ns)
{
	uint64_t ns = elapsed_ns;

	if (before && !(after->flags & TASKRT_FLAG_EXITED) &&
	    after->sample_time_ns > before->sample_time_ns)
		ns = after->sample_time_ns - before->sample_time_ns;
	return spent_ns > ns ? spent_ns : ns;
}

static void take(struct top_round *next, struct top_row *row, const struct taskrt_stats *before,
		 const struct taskrt_stats *after)
{
	struct taskrt_stats spent = *after;

	*row = (struct top_row){
		.tid = after->tid,
		.tgid = after->tgid,
		.uid = after->uid,
		.state = after->state,
		.start_time_ns = after->start_time_ns,
	};
	memcpy(row->comm, after->comm, sizeof(row->comm));
	if (!next->elapsed_ns)
		return;
	if (before) {
		if (taskrt_delta(before, after, &spent))
			return;
	} else if (after->start_time_ns + next->elapsed_ns < next->time_ns) {
		return;
	} else {
		next->born++;
	}
	take_counts(row, &spent);
	row->base_ns = base(before, after, spent.tracked_time_ns, next->elapsed_ns);
}

static int same(const struct taskrt_stats *a, const struct taskrt_stats *b)
{
	return a->tid == b->tid && a->start_time_ns == b->start_time_ns && a->tgid == b->tgid;
}

static void compare(struct top_round *next, const struct top_round *last)
{
	size_t i, j = 0, met = 0;

	for (i = 0; i < next->list.count; i++) {
		const struct taskrt_stats *after = &next->list.threads[i], *before;

		while (j < last->count && last->list.threads[j].tid < after->tid)
			j++;
		before = j < last->count ? &last->list.threads[j] : NULL;
		if (before && !same(before, after))
			before = NULL;
		take(next, &next->rows[i], before, after);
		if (!before)
			continue;
		next->rows[i].class = last->rows[j].class;
		met++;
	}
	next->gone = last->count - met;
}

/* Without these there is nothing to match threads by, or nothing to show. */
static int usable(const struct list *list)
{
	const uint64_t needed = TASKRT_VALID_IDENTITY | TASKRT_VALID_CLOCK | TASKRT_VALID_STATES;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!taskrt_has(&list->threads[i], needed))
			return 0;
	return 1;
}

/* A process of which nothing is listed: why? */
static int why_empty(struct taskrt *handle, pid_t tgid)
{
	struct taskrt_stats stats;

	return tgid == TASKRT_ALL ? 0 : taskrt_get_process(handle, tgid, &stats, sizeof(stats));
}

static int look(struct top_round *next, struct taskrt *handle, pid_t tgid)
{
	int error = list_fill(&next->list, handle, tgid);

	if (error == -EINTR) {
		next->incomplete = 1;
		error = 0;
	}
	if (!error && !next->list.count)
		error = why_empty(handle, tgid);
	if (!error && !usable(&next->list))
		error = -EOPNOTSUPP;
	if (error)
		return error;
	tidy(&next->list);
	next->time_ns = began(&next->list);
	next->count = next->list.count;
	next->rows = calloc(next->count ? next->count : 1, sizeof(*next->rows));
	return next->rows ? 0 : -ENOMEM;
}

int top_round_next(struct top_round *round, struct taskrt *handle, pid_t tgid)
{
	struct top_round next = { .number = round->number + 1 };
	int error = look(&next, handle, tgid);

	if (error) {
		top_round_forget(&next);
		return error;
	}
	if (round->number && next.time_ns > round->time_ns)
		next.elapsed_ns = next.time_ns - round->time_ns;
	compare(&next, round);
	if (!round->number)
		next.gone = 0;
	top_round_forget(round);
	*round = next;
	return 0;
}

void top_round_ask_classes(struct top_round *round)
{
	size_t i;

	for (i = 0; i < round->count; i++) {
		struct top_row *row = &round->rows[i];

		if (!row->class.asked || (row->tid + round->number) % CLASS_ROUNDS == 0)
			top_class_ask(&row->class, (pid_t)row->tid);
	}
}

void top_round_forget(struct top_round *round)
{
	list_free(&round->list);
	free(round->rows);
	*round = (struct top_round){ 0 };
}

uint64_t top_row_share_ns(const struct top_row *row, enum top_share share, int *measured)
{
	unsigned int state;
	uint64_t ns = 0;

	*measured = 0;
	for (state = 0; state < TASKRT_NR_STATES; state++) {
		if (share_of[state] != share || !(row->measured & (1U << state)))
			continue;
		*measured = 1;
		ns += row->states_ns[state];
	}
	return ns;
}

void top_row_permille(const struct top_row *row, unsigned int permille[TOP_NR_SHARES])
{
	/* The last part is the time in which it was not there. */
	uint64_t parts[TOP_NR_SHARES + 1], sum = 0;
	unsigned int all[TOP_NR_SHARES + 1], share;
	int measured;

	for (share = 0; share < TOP_NR_SHARES; share++)
		sum += parts[share] = top_row_share_ns(row, share, &measured);
	parts[TOP_NR_SHARES] = row->base_ns > sum ? row->base_ns - sum : 0;
	units_shares(all, parts, TOP_NR_SHARES + 1);
	memcpy(permille, all, sizeof(all[0]) * TOP_NR_SHARES);
}
