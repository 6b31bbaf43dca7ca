// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each version is its own bytes for ever, each a prefix of the next, and lies
 * in its message where a 64-bit field may lie.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "raw.h"
#include "tap.h"

static struct raw raw;
static unsigned int misaligned;

static const struct {
	uint32_t asked, version, size;
} cases[] = {
	{ 0, TASKRT_STATS_VERSION, TASKRT_STATS_SIZE_V3 },	/* did not say */
	{ 1, 1, TASKRT_STATS_SIZE_V1 },
	{ 2, 2, TASKRT_STATS_SIZE_V2 },
	{ 3, 3, TASKRT_STATS_SIZE_V3 },
	{ 4, TASKRT_STATS_VERSION, TASKRT_STATS_SIZE_V3 },
	{ 99, TASKRT_STATS_VERSION, TASKRT_STATS_SIZE_V3 },
	{ UINT32_MAX, TASKRT_STATS_VERSION, TASKRT_STATS_SIZE_V3 },
};

/* What version 1 and 2 cannot say must not be said to be measured. */
static uint64_t sayable(uint32_t version)
{
	uint64_t valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME;

	if (version >= 2)
		valid |= TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME;
	return version >= 3 ? UINT64_MAX : valid;
}

static void check_place(const struct raw_stats *stats)
{
	misaligned += stats->offset % 8 || stats->buffer_offset % 8;
}

static void one(unsigned int i, uint16_t type, const char *what)
{
	uint32_t asked = cases[i].asked;
	struct raw_answer answer;
	const struct taskrt_stats *stats = &answer.last.stats;

	if (!tap_errno(raw_get(&raw, type, 0, asked, &answer), 0, "%s, version %u", what, asked))
		return;
	check_place(&answer.last);
	tap_equal(answer.messages, 1, "%s, version %u: one message", what, asked);
	tap_equal(answer.last.aggregate,
		  type == TASKRT_A_TID ? TASKRT_A_AGGR_TID : TASKRT_A_AGGR_TGID,
		  "%s, version %u: the right aggregate", what, asked);
	tap_equal(answer.last.id, getpid(), "%s, version %u: our own id", what, asked);
	tap_equal(answer.last.length, cases[i].size, "%s, version %u: length", what, asked);
	tap_equal(stats->size, cases[i].size, "%s, version %u: size", what, asked);
	tap_equal(stats->version, cases[i].version, "%s, version %u: version", what, asked);
	tap_equal(stats->valid & ~sayable(stats->version), 0,
		  "%s, version %u: valid has nothing newer", what, asked);
	tap_at_least(stats->valid & TASKRT_VALID_CPU_TIME, 1, "%s, version %u: cpu_time", what,
		     asked);
}

static uint64_t get_one(uint32_t version, unsigned int field)
{
	struct raw_answer answer;
	const struct taskrt_stats *stats = &answer.last.stats;

	raw_get(&raw, TASKRT_A_TID, 0, version, &answer);
	switch (field) {
	case 0: return stats->cpu_time_ns;
	case 1: return stats->queue_time_ns;
	case 2: return stats->page_fault_time_ns;
	}
	return stats->lock_contention_time_ns;
}

/* Asked in turn, the same field of all versions is one growing total. */
static void check_prefixes(void)
{
	unsigned int field, version, i;

	for (field = 0; field < 4; field++) {
		uint64_t last = 0, now;
		int grows = 1;

		for (i = 0; i < 300; i++) {
			version = 1 + i % 3;
			if (field >= 2 && version == 1)
				version = 2;
			now = get_one(version, field);
			grows &= now >= last;
			last = now;
		}
		tap_ok(grows, "field %u means the same in every version", field);
	}
}

static void check_each(const struct raw_stats *stats, void *arg)
{
	unsigned int *count = arg;

	check_place(stats);
	(*count)++;
}

/* In a dump each message begins where the one before it ends. */
static void check_dump(uint32_t version)
{
	struct raw_message message;
	struct raw_answer answer;
	unsigned int count = 0;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (version)
		raw_put_u32(&message, TASKRT_A_VERSION, version);
	raw_ask(&raw, &message, &answer, check_each, &count);
	tap_errno(answer.error, 0, "dump, version %u", version);
	tap_at_least(count, 10, "dump, version %u: many threads", version);
	tap_equal(answer.last.length, version == 1 ? TASKRT_STATS_SIZE_V1 : TASKRT_STATS_SIZE_V3,
		  "dump, version %u: length", version);
}

int main(void)
{
	unsigned int i;
	int err = raw_open(&raw);

	if (err)
		tap_bail("no family: %s", strerror(-err));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		one(i, TASKRT_A_TID, "thread");
		one(i, TASKRT_A_TGID, "process");
	}
	check_prefixes();
	check_dump(0);
	check_dump(1);
	tap_equal(misaligned, 0, "STATS is aligned to 8 in message and buffer");
	raw_close(&raw);
	return tap_done();
}
