// SPDX-License-Identifier: LGPL-2.1-or-later
/* A named part of the work, run again and again. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "line.h"
#include "spent.h"

void taskrt_stage_init(struct taskrt_stage *stage, const char *name)
{
	size_t i;

	memset(stage, 0, sizeof(*stage));
	for (i = 0; name && name[i] && i < sizeof(stage->name) - 1; i++)
		stage->name[i] = name[i];
}

int taskrt_stage_begin(struct taskrt_stage *stage, const struct taskrt_self *self)
{
	int status = self ? taskrt_self_read(self, &stage->begin) : -EINVAL;

	stage->self = status < 0 ? NULL : self;
	if (status < 0)
		stage->failed++;
	return status;
}

static void add_run(struct taskrt_stage *stage, struct taskrt_snapshot *end, bool exact)
{
	struct taskrt_totals spent;
	uint64_t ns;

	taskrt_spent_order(&stage->begin, end);
	ns = end->at_ns - stage->begin.at_ns;
	taskrt_spent_between(&spent, &stage->begin.totals, &end->totals, exact);
	taskrt_spent_add(&stage->spent, &spent);
	stage->count++;
	stage->wall_ns += ns;
	if (ns > stage->longest.ns)
		stage->longest = (struct taskrt_longest){ .ns = ns, .at_ns = stage->begin.at_ns };
}

int taskrt_stage_end(struct taskrt_stage *stage)
{
	struct taskrt_snapshot end;
	int status;

	if (!stage->self)
		return -EINVAL;
	status = taskrt_self_read(stage->self, &end);
	if (status < 0)
		stage->failed++;
	else
		add_run(stage, &end, taskrt_self_mapped(stage->self));
	stage->self = NULL;
	return status;
}

void taskrt_stage_merge(struct taskrt_stage *into, const struct taskrt_stage *from)
{
	into->count += from->count;
	into->failed += from->failed;
	into->wall_ns += from->wall_ns;
	if (from->longest.ns > into->longest.ns)
		into->longest = from->longest;
	taskrt_spent_add(&into->spent, &from->spent);
}

int taskrt_stage_line(const struct taskrt_stage *stage, char *text, size_t size)
{
	const struct taskrt_totals *spent = &stage->spent;
	struct taskrt_line line;

	taskrt_line_init(&line, text, size);
	taskrt_line_bytes(&line, stage->name, sizeof(stage->name));
	taskrt_line_text(&line, ": wall ");
	taskrt_line_ms(&line, stage->wall_ns);
	taskrt_line_text(&line, " ms, cpu ");
	taskrt_line_ms(&line, spent->states_ns[TASKRT_STATE_RUNNING]);
	taskrt_line_text(&line, " ms, queue ");
	taskrt_line_ms(&line, spent->states_ns[TASKRT_STATE_PREEMPTED] +
			      spent->states_ns[TASKRT_STATE_WOKEN]);
	taskrt_line_text(&line, " ms, page fault ");
	taskrt_line_ms(&line, spent->page_fault_time_ns);
	taskrt_line_text(&line, " ms, lock ");
	taskrt_line_ms(&line, spent->lock_contention_time_ns);
	taskrt_line_text(&line, " ms");
	return taskrt_line_end(&line);
}
