// SPDX-License-Identifier: GPL-2.0-only
/*
 * Updates: what each thread did between two readings of all threads.
 *
 * Both lists are in ascending order of tid, so they are walked side by side.  A thread is the same
 * one if tid and start time are the same.  All time of a thread that was created after the previous
 * round belongs to this round.  Any other thread that the previous round lacks, because it could
 * not be read or an interrupted list lacked it, has no values for one round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/units.h"
#include "top/round.h"

#define CLASS_ROUNDS	4	/* rounds after which a class is read again */

/* The start of the round: the earliest sample of a live thread; ended ones were sampled earlier. */
static uint64_t began(const struct list *list)
{
	uint64_t live = UINT64_MAX, ended = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct taskrt_stats *stats = list_stats(list, i);

		if (stats->flags & TASKRT_FLAG_EXITED)
			ended = stats->sample_time_ns > ended ? stats->sample_time_ns : ended;
		else if (stats->sample_time_ns < live)
			live = stats->sample_time_ns;
	}
	return live != UINT64_MAX ? live : ended;
}

static void take_spent(struct top_row *row, const struct taskrt_reading *spent)
{
	row->known = 1;
	if (spent->groups & TASKRT_GROUP_TIMES)
		row->states = spent->stats.measured.states;
	if (spent->groups & TASKRT_GROUP_COUNTS)
		row->counted = spent->stats.measured.values;
	memcpy(row->states_ns, spent->times.states_ns, sizeof(row->states_ns));
	memcpy(row->values, spent->counts.values, sizeof(row->values));
}

/*
 * The time that is 100 %.  Reading many threads takes a while, so it is the time between the
 * two samples of a thread; or the time of the round if the thread has only one sample.
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

static void identify(struct top_row *row, const struct taskrt_stats *stats)
{
	*row = (struct top_row){
		.tid = stats->tid,
		.tgid = stats->tgid,
		.uid = stats->uid,
		.state = stats->state,
		.start_time_ns = stats->start_time_ns,
		.kernel = !!(stats->flags & TASKRT_FLAG_KTHREAD),
	};
	memcpy(row->comm, stats->comm, sizeof(row->comm));
}

/* Compare the thread at i of the next round with the same thread at j of the last one, if any. */
static void take(struct top_round *next, size_t i, const struct top_round *last, size_t j)
{
	const struct taskrt_stats *after = list_stats(&next->list, i);
	const struct taskrt_stats *before = last ? list_stats(&last->list, j) : NULL;
	struct taskrt_reading spent, then;
	struct top_row *row = &next->rows[i];

	identify(row, after);
	if (!next->elapsed_ns)
		return;
	list_read(&next->list, i, &spent);
	if (before) {
		list_read(&last->list, j, &then);
		if (taskrt_diff(&then, &spent, &spent, sizeof(spent)))
			return;
	} else if (after->start_time_ns + next->elapsed_ns < next->time_ns) {
		return;
	} else {
		next->born++;
	}
	take_spent(row, &spent);
	row->base_ns = base(before, after, spent.stats.tracked_time_ns, next->elapsed_ns);
}

static int same(const struct taskrt_stats *a, const struct taskrt_stats *b)
{
	return a->tid == b->tid && a->start_time_ns == b->start_time_ns && a->tgid == b->tgid;
}

static void compare(struct top_round *next, const struct top_round *last)
{
	size_t i, j = 0, met = 0;

	for (i = 0; i < next->list.count; i++) {
		const struct taskrt_stats *after = list_stats(&next->list, i);
		int was_there;

		while (j < last->count && list_stats(&last->list, j)->tid < after->tid)
			j++;
		was_there = j < last->count && same(list_stats(&last->list, j), after);
		take(next, i, was_there ? last : NULL, j);
		if (!was_there)
			continue;
		next->rows[i].class = last->rows[j].class;
		met++;
	}
	next->gone = last->count - met;
}

static int look(struct top_round *next, struct taskrt *handle, pid_t tgid, uint32_t groups)
{
	int error = list_fill(&next->list, handle, tgid, groups);

	if (error == -EINTR) {
		next->incomplete = 1;
		error = 0;
	}
	if (error)
		return error;
	list_tidy(&next->list);
	next->time_ns = began(&next->list);
	next->count = next->list.count;
	next->rows = memory_new(next->count, sizeof(*next->rows));
	return 0;
}

int top_round_next(struct top_round *round, struct taskrt *handle, pid_t tgid,
		   uint32_t groups)
{
	struct top_round next = { .number = round->number + 1 };
	int error = look(&next, handle, tgid, groups);

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

uint64_t top_row_share_ns(const struct top_row *row, enum share share, int *measured)
{
	unsigned int state;
	uint64_t ns = 0;

	*measured = 0;
	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		if (!taskrt_measures(row->states, state) || state_share(state) != share)
			continue;
		*measured = 1;
		ns += row->states_ns[state];
	}
	return ns;
}

int top_row_is_asleep(const struct top_row *row)
{
	unsigned int state;

	if (!row->known || !taskrt_measures(row->states, TASKRT_STATE_RUNNING))
		return 0;
	for (state = 0; state < TASKRT_STATES_ROOM; state++)
		if (row->states_ns[state] && state_share(state) != SHARE_SLEEP)
			return 0;
	return 1;
}

void top_row_permille(const struct top_row *row, unsigned int permille[NR_SHARES])
{
	/* The last part is the time before creation, after exit, and in states without a share. */
	uint64_t parts[NR_SHARES + 1], sum = 0;
	unsigned int all[NR_SHARES + 1], share;
	int measured;

	for (share = 0; share < NR_SHARES; share++)
		sum += parts[share] = top_row_share_ns(row, share, &measured);
	parts[NR_SHARES] = row->base_ns > sum ? row->base_ns - sum : 0;
	units_shares(all, parts, NR_SHARES + 1);
	memcpy(permille, all, sizeof(all[0]) * NR_SHARES);
}
