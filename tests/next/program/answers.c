// SPDX-License-Identifier: GPL-2.0-only
/* GET: one thread, its process, its children; and all. */
#include <errno.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"

static struct taskrt *handle;

static struct told_of of_module(uint32_t entity, uint32_t groups)
{
	return (struct told_of){
		.next = next_module, .next_reader = next_library, .entity = entity,
		.groups = groups,
	};
}

static void one(uint32_t entity, uint32_t id, uint32_t groups)
{
	const struct told_of of = of_module(entity, groups);
	struct taskrt_reading *r = guarded(sizeof(*r));

	EQUAL(taskrt_get(handle, entity, id, groups, r, sizeof(*r)), 0);
	told_check(r, &of);
	guarded_check(r, sizeof(*r));
}

static void each_groups(void)
{
	for (uint32_t groups = 0; groups <= ALL_GROUPS; groups++) {
		one(TASKRT_ENTITY_THREAD, TID, groups);
		one(TASKRT_ENTITY_PROCESS, TGID, groups);
	}
	/* A group that does not exist is absent. */
	one(TASKRT_ENTITY_THREAD, TID, ALL_GROUPS | 1U << 20);
}

static void refused(void)
{
	struct taskrt_reading r;

	memset(&r, GUARD_BYTE, sizeof(r));
	EQUAL(taskrt_get(handle, TASKRT_ENTITY_THREAD, TID, TASKRT_GROUPS_REFUSED, &r, sizeof(r)),
	      -EINVAL);
	CHECK(all_bytes(&r, 0, sizeof(r), GUARD_BYTE));
	CHECK(taskrt_get(handle, TASKRT_ENTITY_CPU, 1, 0, &r, sizeof(r)) < 0);
	CHECK(taskrt_get(handle, TASKRT_ENTITY_CPU + 1, 1, 0, &r, sizeof(r)) < 0);
}

static int seen(const struct taskrt_reading *reading, void *arg)
{
	const struct told_of of = of_module(TASKRT_ENTITY_THREAD, ALL_GROUPS);
	int *count = arg;

	told_check(reading, &of);
	++*count;
	return 0;
}

static int each(const struct taskrt_query *query, int *count)
{
	return taskrt_each(handle, query, sizeof(*query), sizeof(struct taskrt_reading), seen,
			   count);
}

static void all(void)
{
	struct taskrt_query query = { .groups = ALL_GROUPS };
	int count = 0;

	EQUAL(each(&query, &count), 0);
	EQUAL(count, 1);
	/* An unknown condition is not ignored. */
	query.reserved[3] = 1;
	CHECK(each(&query, &count) < 0);
	EQUAL(count, 1);
	query.reserved[3] = 0;
#ifdef TASKRT_GROUP_SLICES
	query.uid_above = UID + 1;
	if (next_library && next_module)
		EQUAL(each(&query, &count), 0);
	else
		CHECK(each(&query, &count) < 0);
	EQUAL(count, next_library && next_module ? 2 : 1);
#endif
}

/* Nothing has happened between two readings of one instant. */
static void difference(void)
{
	struct taskrt_reading r, *diff = guarded(sizeof(*diff));

	EQUAL(taskrt_get(handle, TASKRT_ENTITY_THREAD, TID, ALL_GROUPS, &r, sizeof(r)), 0);
	EQUAL(taskrt_diff(&r, &r, diff, sizeof(*diff)), 0);
	EQUAL(diff->stats.tracked_time_ns, 0);
	EQUAL(diff->groups, r.groups);
	EQUAL(diff->stats.measured.states, r.stats.measured.states);
	CHECK(all_bytes(&diff->times, 0, sizeof(diff->times), 0));
	CHECK(all_bytes(&diff->counts, 0, sizeof(diff->counts), 0));
	CHECK(all_bytes(&diff->longests, 0, sizeof(diff->longests), 0));
	guarded_check(diff, sizeof(*diff));
}

/* The difference to an empty reading has all of the later one, also the words that are new. */
static void difference_of_all(void)
{
	struct taskrt_reading r, before, diff;

	EQUAL(taskrt_get(handle, TASKRT_ENTITY_THREAD, TID, ALL_GROUPS, &r, sizeof(r)), 0);
	before = r;
	memset(&before.times, 0, sizeof(before.times));
	memset(&before.counts, 0, sizeof(before.counts));
	before.stats.sample_time_ns = BORN;
	before.stats.tracked_time_ns = 0;
	EQUAL(taskrt_diff(&before, &r, &diff, sizeof(diff)), 0);
	EQUAL(diff.stats.tracked_time_ns, END - BORN);
	EQUAL(told_sum(diff.times.states_ns), diff.stats.tracked_time_ns);
	told_times(&diff.times, next_module, 0);
	EQUAL(diff.counts.states[NEW_STATE], r.counts.states[NEW_STATE]);
}

void answers_check(void)
{
	checking = "answers";
	EQUAL(taskrt_open(&handle), 0);
	if (!handle)
		return;
	each_groups();
	one(TASKRT_ENTITY_CHILDREN, TGID, ALL_GROUPS);
	refused();
	all();
	difference();
	difference_of_all();
	taskrt_close(handle);
}
