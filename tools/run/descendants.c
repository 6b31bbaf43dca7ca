// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes that have ended descend from a command, and their sum.
 *
 * The record of an exit has the parent's ID, and that parent lives or its exit is delivered
 * later.  So a sum is kept for every id, of the processes that have ended below it.  When
 * the process with this id ends too, the sum and its own totals go to its parent, and the id
 * can be reused.  The parent of orphans is the reaper, which has started the command.
 *
 * One exception: parent and child may end at the same time on two CPUs, and the
 * exit of the child be delivered last.  Its parent is then found among the recent exits: it
 * is the process with this id that lived when the child began.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "run/descendants.h"
#include "run/sum.h"

struct branch {
	uint32_t pid;
	struct descendants_sum sum;
};

static int by_pid(const void *one, const void *other)
{
	const struct branch *a = one, *b = other;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static void begin_sum(struct descendants_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	sum_begin(&sum->reading);
}

static void add_sum(struct descendants_sum *to, const struct descendants_sum *more)
{
	to->processes += more->processes;
	to->threads += more->threads;
	sum_add(&to->reading, &more->reading);
}

/* The sum below pid, which is made if there is none yet. */
static struct descendants_sum *below(struct descendants *descendants, uint32_t pid)
{
	struct branch *branch = malloc(sizeof(*branch)), **place;

	if (!branch)
		error_no_memory();
	branch->pid = pid;
	begin_sum(&branch->sum);
	place = tsearch(branch, &descendants->branches, by_pid);
	if (!place)
		error_no_memory();
	if (*place != branch)
		free(branch);
	return &(*place)->sum;
}

/* Remove the sum below pid.  Return: 0 if there was none. */
static int take_below(struct descendants *descendants, uint32_t pid, struct descendants_sum *sum)
{
	struct branch key = { .pid = pid }, **place = tfind(&key, &descendants->branches, by_pid);
	struct branch *branch;

	if (!place)
		return 0;
	branch = *place;
	*sum = branch->sum;
	tdelete(&key, &descendants->branches, by_pid);
	free(branch);
	return 1;
}

static size_t ended_kept(const struct descendants *descendants)
{
	size_t count = descendants->ended_count;

	return count < DESCENDANTS_ENDED ? count : DESCENDANTS_ENDED;
}

static const struct descendants_ended *find_ended(const struct descendants *descendants,
						  uint32_t pid, uint64_t lived_ns)
{
	size_t i, kept = ended_kept(descendants);

	for (i = 1; i <= kept; i++) {
		const struct descendants_ended *ended =
			&descendants->ended[(descendants->ended_count - i) % DESCENDANTS_ENDED];

		if (ended->pid == pid && ended->start_ns <= lived_ns && lived_ns <= ended->end_ns)
			return ended;
	}
	return NULL;
}

/* The closest ancestor that may still live. */
static uint32_t living_ancestor(const struct descendants *descendants,
				const struct taskrt_stats *process)
{
	const struct descendants_ended *ended;
	uint32_t pid = process->ppid;
	size_t depth = DESCENDANTS_ENDED;

	while (depth-- && (ended = find_ended(descendants, pid, process->start_time_ns)))
		pid = ended->ppid;
	return pid;
}

static void remember(struct descendants *descendants, const struct taskrt_stats *process,
		     uint32_t parent)
{
	descendants->ended[descendants->ended_count++ % DESCENDANTS_ENDED] =
		(struct descendants_ended){
			.pid = process->tgid,
			.ppid = parent,
			.start_ns = process->start_time_ns,
			.end_ns = process->sample_time_ns,
		};
}

void descendants_begin(struct descendants *descendants, uint32_t reaper, uint64_t since_ns)
{
	memset(descendants, 0, sizeof(*descendants));
	descendants->reaper = reaper;
	descendants->since_ns = since_ns;
	begin_sum(&descendants->sum);
}

void descendants_end(struct descendants *descendants)
{
	tdestroy(descendants->branches, free);
	descendants->branches = NULL;
}

void descendants_take(struct descendants *descendants, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *process = &reading->stats;
	struct descendants_sum own = { .processes = 1, .threads = process->threads_gone }, below_it;
	int has_below = take_below(descendants, process->tgid, &below_it);
	uint32_t parent;

	/* Older than the command: it is not a descendant, nor are its other children. */
	if (process->start_time_ns < descendants->since_ns)
		return;
	parent = living_ancestor(descendants, process);
	remember(descendants, process, parent);
	if (has_below)
		add_sum(below(descendants, parent), &below_it);
	if (process->tgid == descendants->command && parent == descendants->reaper)
		return;
	own.reading = *reading;
	add_sum(below(descendants, parent), &own);
}

void descendants_close(struct descendants *descendants,
		       int (*descends)(uint32_t reaper, uint32_t pid))
{
	struct branch *branch;

	while (descendants->branches) {
		branch = *(struct branch **)descendants->branches;
		if (branch->pid == descendants->command || branch->pid == descendants->reaper ||
		    (descends && descends(descendants->reaper, branch->pid)))
			add_sum(&descendants->sum, &branch->sum);
		tdelete(branch, &descendants->branches, by_pid);
		free(branch);
	}
}

int descendants_has_ended(const struct descendants *descendants, uint32_t pid)
{
	size_t i, kept = ended_kept(descendants);

	for (i = 0; i < kept; i++)
		if (descendants->ended[i].pid == pid)
			return 1;
	return 0;
}
