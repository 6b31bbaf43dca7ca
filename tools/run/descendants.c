// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes that have ended descend from a command, and their sum.
 *
 * A process that ends tells its parent's id, and that parent lives or is told
 * later.  So below every id stands the sum of what has ended below that
 * process; when it ends too, this goes with its own to its parent.  Nothing is
 * left below an id then that is given to another process.  Orphans name the
 * reaper as their parent, which is the one that has started the command.
 *
 * One exception: parent and child may end at the same time on two CPUs, and the
 * child be told last.  Its parent is found among those that ended lately; that
 * it had lived when the child began tells it from others with the same id.
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
	struct family_sum sum;
};

static int by_pid(const void *one, const void *other)
{
	const struct branch *a = one, *b = other;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static void begin_sum(struct family_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	sum_begin(&sum->reading);
}

static void add_sum(struct family_sum *to, const struct family_sum *more)
{
	to->processes += more->processes;
	to->threads += more->threads;
	sum_add(&to->reading, &more->reading);
}

/* What has ended below pid; made where there is none yet. */
static struct family_sum *below(struct family *family, uint32_t pid)
{
	struct branch *branch = malloc(sizeof(*branch)), **place;

	if (!branch)
		error_no_memory();
	branch->pid = pid;
	begin_sum(&branch->sum);
	place = tsearch(branch, &family->branches, by_pid);
	if (!place)
		error_no_memory();
	if (*place != branch)
		free(branch);
	return &(*place)->sum;
}

/* The same, and nothing is left there.  Return: 0 where nothing was. */
static int take_below(struct family *family, uint32_t pid, struct family_sum *sum)
{
	struct branch key = { .pid = pid }, **place = tfind(&key, &family->branches, by_pid);
	struct branch *branch;

	if (!place)
		return 0;
	branch = *place;
	*sum = branch->sum;
	tdelete(&key, &family->branches, by_pid);
	free(branch);
	return 1;
}

static const struct family_ended *find_ended(const struct family *family, uint32_t pid,
					     uint64_t lived_ns)
{
	size_t i, kept = family->ended_count < FAMILY_ENDED ? family->ended_count : FAMILY_ENDED;

	for (i = 1; i <= kept; i++) {
		const struct family_ended *ended =
			&family->ended[(family->ended_count - i) % FAMILY_ENDED];

		if (ended->pid == pid && ended->start_ns <= lived_ns && lived_ns < ended->end_ns)
			return ended;
	}
	return NULL;
}

/* Of the ancestors, the closest that may still live. */
static uint32_t living_ancestor(const struct family *family, const struct taskrt_stats *process)
{
	const struct family_ended *ended;
	uint32_t pid = process->ppid;
	size_t depth = FAMILY_ENDED;

	while (depth-- && (ended = find_ended(family, pid, process->start_time_ns)))
		pid = ended->ppid;
	return pid;
}

static void remember(struct family *family, const struct taskrt_stats *process, uint32_t parent)
{
	family->ended[family->ended_count++ % FAMILY_ENDED] = (struct family_ended){
		.pid = process->tgid,
		.ppid = parent,
		.start_ns = process->start_time_ns,
		.end_ns = process->sample_time_ns,
	};
}

void family_begin(struct family *family, uint32_t reaper, uint64_t since_ns)
{
	memset(family, 0, sizeof(*family));
	family->reaper = reaper;
	family->since_ns = since_ns;
	begin_sum(&family->sum);
}

void family_end(struct family *family)
{
	tdestroy(family->branches, free);
	family->branches = NULL;
}

void family_take(struct family *family, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *process = &reading->stats;
	struct family_sum own = { .processes = 1, .threads = process->threads_gone }, below_it;
	int has_below = take_below(family, process->tgid, &below_it);
	uint32_t parent;

	/* Older than the command: neither it nor its other children are of the family. */
	if (process->start_time_ns < family->since_ns)
		return;
	parent = living_ancestor(family, process);
	remember(family, process, parent);
	if (has_below)
		add_sum(below(family, parent), &below_it);
	if (process->tgid == family->command && parent == family->reaper) {
		family->command_ended = 1;
		return;
	}
	own.reading = *reading;
	add_sum(below(family, parent), &own);
}

void family_close(struct family *family, int (*descends)(uint32_t reaper, uint32_t pid))
{
	struct branch *branch;

	while (family->branches) {
		branch = *(struct branch **)family->branches;
		if (branch->pid == family->command || branch->pid == family->reaper ||
		    (descends && descends(family->reaper, branch->pid)))
			add_sum(&family->sum, &branch->sum);
		tdelete(branch, &family->branches, by_pid);
		free(branch);
	}
}

int family_has_ended(const struct family *family, uint32_t pid)
{
	size_t i, kept = family->ended_count < FAMILY_ENDED ? family->ended_count : FAMILY_ENDED;

	for (i = 0; i < kept; i++)
		if (family->ended[i].pid == pid)
			return 1;
	return 0;
}
