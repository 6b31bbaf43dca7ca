// SPDX-License-Identifier: LGPL-2.1-or-later
/* A named part of the work, which runs again and again. */
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "self/handle.h"
#include "self/line.h"
#include "self/spent.h"

/* The library's use of taskrt_stage.private_. */
struct stage_own {
	struct taskrt_self *self;	/* of the run in progress; NULL: there is none */
	struct taskrt_snapshot begin;
	/* The parts of spent in states that this library does not know, of all runs. */
	uint64_t cpu_ns;
	uint64_t queue_ns;
} __attribute__((may_alias));

_Static_assert(sizeof(struct taskrt_stage) == 1024, "it stands in programs");
_Static_assert(sizeof(struct stage_own) <= sizeof(((struct taskrt_stage *)0)->private_),
	       "there is no room for it");

static struct stage_own *stage_own(struct taskrt_stage *stage)
{
	return (struct stage_own *)stage->private_;
}

static const struct stage_own *own_of(const struct taskrt_stage *stage)
{
	return (const struct stage_own *)stage->private_;
}

void taskrt_stage_init(struct taskrt_stage *stage, const char *name)
{
	size_t i;

	memset(stage, 0, sizeof(*stage));
	for (i = 0; name && name[i] && i < sizeof(stage->name) - 1; i++)
		stage->name[i] = name[i];
}

int taskrt_stage_begin(struct taskrt_stage *stage, struct taskrt_self *self)
{
	struct stage_own *o = stage_own(stage);
	int err = self ? taskrt_self_read(self, &o->begin) : -EINVAL;

	o->self = err ? NULL : self;
	if (err)
		stage->failed++;
	return err;
}

static void add_run(struct taskrt_stage *stage, struct taskrt_snapshot *end)
{
	struct stage_own *o = stage_own(stage);
	struct taskrt_times spent;
	uint64_t ns;

	taskrt_spent_order(&o->begin, end);
	ns = end->at_ns - o->begin.at_ns;
	taskrt_spent_between(&spent, &o->begin.times, &end->times, taskrt_self_mapped(o->self));
	taskrt_spent_add(&stage->spent, &spent);
	taskrt_self_add_unknown(o->self, &spent, &o->cpu_ns, &o->queue_ns);
	stage->count++;
	stage->wall_ns += ns;
	if (ns > stage->longest.ns)
		stage->longest = (struct taskrt_longest){ .ns = ns, .at_ns = o->begin.at_ns };
}

int taskrt_stage_end(struct taskrt_stage *stage)
{
	struct stage_own *o = stage_own(stage);
	struct taskrt_snapshot end;
	int err;

	if (!o->self)
		return -EINVAL;
	err = taskrt_self_read(o->self, &end);
	if (err)
		stage->failed++;
	else
		add_run(stage, &end);
	o->self = NULL;
	return err;
}

void taskrt_stage_merge(struct taskrt_stage *into, const struct taskrt_stage *from)
{
	into->count += from->count;
	into->failed += from->failed;
	into->wall_ns += from->wall_ns;
	if (from->longest.ns > into->longest.ns)
		into->longest = from->longest;
	taskrt_spent_add(&into->spent, &from->spent);
	stage_own(into)->cpu_ns += own_of(from)->cpu_ns;
	stage_own(into)->queue_ns += own_of(from)->queue_ns;
}

int taskrt_stage_format(const struct taskrt_stage *stage, char *text, size_t size)
{
	const struct taskrt_times *spent = &stage->spent;
	struct taskrt_line line;

	taskrt_line_init(&line, text, size);
	taskrt_line_bytes(&line, stage->name, sizeof(stage->name));
	taskrt_line_text(&line, ": wall ");
	taskrt_line_ms(&line, stage->wall_ns);
	taskrt_line_text(&line, " ms, cpu ");
	taskrt_line_ms(&line, spent->states_ns[TASKRT_STATE_RUNNING] + own_of(stage)->cpu_ns);
	taskrt_line_text(&line, " ms, queue ");
	taskrt_line_ms(&line, spent->states_ns[TASKRT_STATE_PREEMPTED] +
			      spent->states_ns[TASKRT_STATE_WOKEN] +
			      spent->states_ns[TASKRT_STATE_THROTTLED] +
			      spent->states_ns[TASKRT_STATE_YIELDED] +
			      own_of(stage)->queue_ns);
	taskrt_line_text(&line, " ms, page fault ");
	taskrt_line_ms(&line, spent->timers_ns[TASKRT_TIMER_FAULT]);
	taskrt_line_text(&line, " ms, lock ");
	taskrt_line_ms(&line, spent->timers_ns[TASKRT_TIMER_LOCK]);
	taskrt_line_text(&line, " ms");
	return taskrt_line_end(&line);
}
