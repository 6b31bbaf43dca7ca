// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descendants of a command that have ended: their sum.
 *
 * The module has the sum of the children that a process has waited for, and of those that
 * these have waited for.  An orphan of the command becomes our child, and we wait for it.  So
 * the sum of all is that of the command, while it is a zombie, and our own.  A program that
 * executes taskrt in its own place leaves us its sum, which is subtracted.
 */
#include "common/clock.h"
#include "common/names.h"
#include "common/orphan.h"
#include "common/reading_json.h"
#include "run/descendants.h"

#define PATIENCE	(5 * CLOCK_SECOND)

/*
 * The totals of a child are final somewhat later than its parent has waited for it.  The
 * library asks again until they are, for about a second.
 */
static void read_children(struct descendants *descendants, struct taskrt *handle, pid_t parent,
			  struct taskrt_reading *reading)
{
	const uint64_t since_ns = clock_now_ns();
	int pending;

	do {
		descendants->error = taskrt_get(handle, TASKRT_ENTITY_CHILDREN, parent,
						READING_JSON_GROUPS, reading, sizeof(*reading));
		if (descendants->error) {
			error_query_text(descendants->text, handle, descendants->error,
					 ERROR_CHILDREN, parent);
			return;
		}
		pending = !!(reading->stats.flags & TASKRT_FLAG_PENDING);
	} while (pending && !descendants->pending && clock_now_ns() - since_ns < PATIENCE);
	descendants->pending |= pending;
}

void descendants_begin(struct descendants *descendants, struct taskrt *handle)
{
	read_children(descendants, handle, 0, &descendants->before);
}

static int has_any(const struct taskrt_reading *sum)
{
	return sum->stats.threads_gone || !taskrt_has(&sum->stats, TASKRT_VALID_THREADS);
}

static void add_orphans(struct descendants *descendants, struct taskrt *handle)
{
	const uint32_t before = descendants->before.stats.flags;
	struct taskrt_reading orphans;

	read_children(descendants, handle, 0, &orphans);
	if (descendants->error)
		return;
	/* Orphans that were not tracked left nothing else. */
	descendants->sum.stats.flags |= orphans.stats.flags & ~before & TASKRT_FLAG_INCOMPLETE;
	if (taskrt_diff(&descendants->before, &orphans, &orphans, sizeof(orphans)))
		return;
	orphans.stats.flags &= ~TASKRT_FLAG_INCOMPLETE;
	if (has_any(&orphans))
		sum_add(&descendants->sum, &orphans);
}

void descendants_read(struct descendants *descendants, struct taskrt *handle, pid_t command)
{
	const int before = descendants->pending;

	descendants->still_run = orphan_reap(command);
	if (descendants->error)
		return;
	descendants->pending = 0;
	read_children(descendants, handle, command, &descendants->sum);
	descendants->sum.stats.valid &= ~FIELD_VALID_OF_ONE;
	if (!descendants->error)
		add_orphans(descendants, handle);
	descendants->pending |= before;
}

int descendants_any(const struct descendants *descendants)
{
	return !descendants->error && has_any(&descendants->sum);
}
