/* SPDX-License-Identifier: GPL-2.0-only */
/* A world of many threads at which taskrt top looks, without a screen. */
#ifndef TESTS_CLI_TOP_WORLD_H
#define TESTS_CLI_TOP_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <taskrt.h>

#include "fake_top.h"
#include "top/round.h"
#include "top/want.h"

struct world {
	struct taskrt *handle;
	struct top_round round;
	struct top_want want;
	uint32_t groups;
};

static inline void begin(struct world *world, unsigned int threads, const char *then)
{
	fake_top_begin(threads, then);
	*world = (struct world){
		.want = top_want_default,
		.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS,
	};
	assert_int_equal(taskrt_open(&world->handle), 0);
}

static inline void end(struct world *world)
{
	top_round_forget(&world->round);
	taskrt_close(world->handle);
}

static inline int look(struct world *world)
{
	return top_round_next(&world->round, world->handle, world->want.tgid, world->groups);
}

static inline const struct top_row *find(const struct world *world, unsigned int thread)
{
	size_t i;

	for (i = 0; i < world->round.count; i++)
		if (world->round.rows[i].tid == FAKE_TOP_TID + thread)
			return &world->round.rows[i];
	return NULL;
}

static inline unsigned int sum(const struct top_row *row)
{
	unsigned int permille[NR_SHARES], i, sum = 0;

	top_row_permille(row, permille);
	for (i = 0; i < NR_SHARES; i++)
		sum += permille[i];
	return sum;
}

#endif
