// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each version keeps its bytes for ever, each is a prefix of the next, and lies in its
 * message where a 64-bit field may lie; so does each group, which is there if it was
 * requested, and only then.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"
#include "tap.h"
#include "thread.h"
#include "window.h"

/* Versions 1 and 2 as they were published, in numbers of this file's own. */
struct frozen {
	uint32_t version, size;
	uint64_t valid, cpu_time_ns, queue_time_ns;
	uint64_t page_fault_time_ns, lock_contention_time_ns;
};

#define FROZEN_V1	32
#define FROZEN_V2	48
#define FROZEN_VALID_V1	0x3ULL
#define FROZEN_VALID_V2	0xfULL
#define SIZE_V3		256
#define TIMES		384
#define COUNTS		704
#define LONGESTS	640
/* Bits that this module does not know. */
#define UNKNOWN		(~(uint32_t)(EVERY_GROUP | TASKRT_GROUP_SITES | TASKRT_GROUPS_REFUSED))

static struct raw raw;
static unsigned int misaligned;

static const struct {
	uint32_t asked, version, size, groups;
} cases[] = {
	{ 0, TASKRT_STATS_VERSION, SIZE_V3, TASKRT_GROUP_TIMES },	/* without VERSION */
	{ 1, 1, FROZEN_V1, 0 },
	{ 2, 2, FROZEN_V2, 0 },
	{ 3, 3, SIZE_V3, TASKRT_GROUP_TIMES },
	{ 4, TASKRT_STATS_VERSION, SIZE_V3, TASKRT_GROUP_TIMES },
	{ 99, TASKRT_STATS_VERSION, SIZE_V3, TASKRT_GROUP_TIMES },
	{ UINT32_MAX, TASKRT_STATS_VERSION, SIZE_V3, TASKRT_GROUP_TIMES },
};

/* What versions 1 and 2 have no room for must not be reported as measured. */
static uint64_t sayable(uint32_t version)
{
	return version >= 3 ? UINT64_MAX : version == 2 ? FROZEN_VALID_V2 : FROZEN_VALID_V1;
}

static void check_place(const struct raw_stats *stats)
{
	misaligned += stats->misaligned;
}

/* Each group that is there is whole, and no other is. */
static int has_groups(const struct raw_stats *stats, uint32_t groups)
{
	const size_t *lengths = stats->lengths;

	if (stats->reading.groups == groups &&
	    lengths[TASKRT_AGGR_A_TIMES] == (groups & TASKRT_GROUP_TIMES ? TIMES : 0) &&
	    lengths[TASKRT_AGGR_A_COUNTS] == (groups & TASKRT_GROUP_COUNTS ? COUNTS : 0) &&
	    lengths[TASKRT_AGGR_A_LONGEST] == (groups & TASKRT_GROUP_LONGEST ? LONGESTS : 0) &&
	    !lengths[TASKRT_AGGR_A_SITES])
		return 1;
	tap_diag("wanted groups %#x: times %zu, counts %zu, longest %zu bytes", groups,
		 lengths[TASKRT_AGGR_A_TIMES], lengths[TASKRT_AGGR_A_COUNTS],
		 lengths[TASKRT_AGGR_A_LONGEST]);
	return 0;
}

static void one(unsigned int i, uint16_t type, const char *what)
{
	uint32_t asked = cases[i].asked;
	struct raw_answer answer;
	const struct taskrt_stats *stats = &answer.last.reading.stats;

	if (!tap_errno(raw_get_groups(&raw, type, 0, asked, RAW_UNSAID, &answer), 0,
		       "%s, version %u", what, asked))
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
	tap_ok(has_groups(&answer.last, cases[i].groups), "%s, version %u: its groups", what,
	       asked);
}

static void each_mask(uint16_t type, const char *what)
{
	static const uint32_t masks[] = {
		0, TASKRT_GROUP_TIMES, TASKRT_GROUP_COUNTS, TASKRT_GROUP_LONGEST,
		TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST, EVERY_GROUP, UNKNOWN,
		UNKNOWN | TASKRT_GROUP_COUNTS, UNKNOWN | EVERY_GROUP,
	};
	struct taskrt_measured measured = { 0 };
	struct raw_answer answer;
	uint32_t version;
	unsigned int i;

	for (version = 0; version <= 3; version++)
		for (i = 0; i < sizeof(masks) / sizeof(*masks); i++) {
			const struct taskrt_stats *stats = &answer.last.reading.stats;

			if (!tap_errno(raw_get_groups(&raw, type, 0, version, masks[i], &answer), 0,
				       "%s, version %u, groups %#x", what, version, masks[i]))
				continue;
			check_place(&answer.last);
			tap_ok(has_groups(&answer.last, masks[i] & EVERY_GROUP),
			       "%s, version %u, groups %#x: these", what, version, masks[i]);
			if (stats->version < 3)
				continue;
			tap_ok(window_is_measured(&answer.last.reading),
			       "%s, groups %#x: what is not measured is 0", what, masks[i]);
			if (!measured.states)
				measured = stats->measured;
			tap_ok(measured.states &&
			       !memcmp(&measured, &stats->measured, sizeof(measured)),
			       "%s, groups %#x: measured is there, whatever is requested", what,
			       masks[i]);
		}
}

static uint64_t get_one(uint32_t version, unsigned int field)
{
	struct raw_answer answer;
	const struct taskrt_stats *stats = &answer.last.reading.stats;

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

/* Its totals of versions 1 and 2 do not move. */
static pid_t stopped_child(void)
{
	struct taskrt *handle = window_open();
	pid_t pid = fork();

	if (!pid)
		for (;;)
			raise(SIGSTOP);
	window_await(handle, pid, TASKRT_STATE_STOPPED);
	taskrt_close(handle);
	return pid;
}

static void frozen_get(uint16_t type, pid_t pid, uint32_t version, struct frozen *frozen)
{
	struct raw_answer answer;

	if (raw_get_groups(&raw, type, pid, version, RAW_UNSAID, &answer))
		tap_bail("process %d, version %u: %s", pid, version, answer.text);
	memcpy(frozen, &answer.last.reading.stats, sizeof(*frozen));
}

static void check_frozen(uint16_t type, pid_t pid, const char *what)
{
	const size_t totals = offsetof(struct frozen, cpu_time_ns);
	struct frozen v1, v2, v3;

	frozen_get(type, pid, 1, &v1);
	frozen_get(type, pid, 2, &v2);
	frozen_get(type, pid, 3, &v3);
	tap_ok(v1.version == 1 && v1.size == FROZEN_V1 && v1.valid == FROZEN_VALID_V1,
	       "%s: version 1 begins as ever", what);
	tap_ok(v2.version == 2 && v2.size == FROZEN_V2 && v2.valid == FROZEN_VALID_V2,
	       "%s: version 2 begins as ever", what);
	tap_ok(v1.cpu_time_ns && !v1.page_fault_time_ns && !v1.lock_contention_time_ns,
	       "%s: version 1 has no more than it had", what);
	tap_ok(!memcmp((char *)&v1 + totals, (char *)&v2 + totals, FROZEN_V1 - totals),
	       "%s: version 1 is the beginning of version 2", what);
	tap_ok(v2.page_fault_time_ns &&
	       !memcmp((char *)&v2 + totals, (char *)&v3 + totals, FROZEN_V2 - totals),
	       "%s: version 2 is the beginning of version 3", what);
}

static void never_moves(void)
{
	pid_t pid = stopped_child();

	check_frozen(TASKRT_A_TID, pid, "a stopped thread");
	check_frozen(TASKRT_A_TGID, pid, "a stopped process");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

struct dump {
	unsigned int count, wrong;
	uint32_t version, groups;
	size_t length;
};

static void check_each(const struct raw_stats *stats, void *arg)
{
	struct dump *dump = arg;

	check_place(stats);
	dump->count++;
	dump->wrong += stats->length != dump->length || !has_groups(stats, dump->groups) ||
		       stats->reading.stats.size != dump->length ||
		       (dump->length == SIZE_V3 && !window_is_measured(&stats->reading));
}

/* In a dump each message begins where the one before it ends. */
static void check_dump(uint32_t version, int64_t groups, uint32_t told)
{
	size_t length = version == 1 ? FROZEN_V1 : version == 2 ? FROZEN_V2 : SIZE_V3;
	struct dump dump = { .version = version, .groups = told, .length = length };
	struct raw_message message;
	struct raw_answer answer;

	raw_begin(&raw, &message, TASKRT_CMD_GET, NLM_F_DUMP);
	if (version)
		raw_put_u32(&message, TASKRT_A_VERSION, version);
	if (groups != RAW_UNSAID)
		raw_put_u32(&message, TASKRT_A_GROUPS, groups);
	raw_ask(&raw, &message, &answer, check_each, &dump);
	tap_errno(answer.error, 0, "dump, version %u, groups %#llx", version, (long long)groups);
	tap_at_least(dump.count, 10, "dump, version %u: many threads", version);
	tap_equal(dump.wrong, 0, "dump, version %u, groups %#llx: each has its length, and these",
		  version, (long long)groups);
}

static void dumps(void)
{
	check_dump(0, RAW_UNSAID, TASKRT_GROUP_TIMES);
	check_dump(1, RAW_UNSAID, 0);
	check_dump(2, RAW_UNSAID, 0);
	check_dump(3, RAW_UNSAID, TASKRT_GROUP_TIMES);
	check_dump(0, 0, 0);
	check_dump(0, EVERY_GROUP, EVERY_GROUP);
	check_dump(1, TASKRT_GROUP_COUNTS, TASKRT_GROUP_COUNTS);
	check_dump(3, UNKNOWN | TASKRT_GROUP_LONGEST, TASKRT_GROUP_LONGEST);
}

/* Groups that were not requested take no room in an answer. */
static void sizes(void)
{
	struct raw_answer none, all;

	raw_get_groups(&raw, TASKRT_A_TID, 0, 0, 0, &none);
	raw_get_groups(&raw, TASKRT_A_TID, 0, 0, EVERY_GROUP, &all);
	tap_at_most(none.length, SIZE_V3 + 32, "no group: hardly more than the statistics");
	/* A header each, and perhaps a pad before it. */
	tap_at_least(all.length, none.length + TIMES + COUNTS + LONGESTS,
		     "all groups: all of them");
	tap_at_most(all.length, none.length + TIMES + COUNTS + LONGESTS + 3 * 8,
		    "all groups: and hardly more");
}

static void entities(void)
{
	struct raw_answer thread, process;
	const struct taskrt_stats *of_thread = &thread.last.reading.stats;
	const struct taskrt_stats *of_process = &process.last.reading.stats;

	thread_pin(0);
	raw_get(&raw, TASKRT_A_TID, 0, 0, &thread);
	raw_get(&raw, TASKRT_A_TGID, 0, 0, &process);
	thread_unpin();
	tap_ok(of_thread->entity == TASKRT_ENTITY_THREAD && of_thread->tid == (uint32_t)getpid() &&
	       of_thread->tgid == (uint32_t)getpid(), "a thread says that it is one");
	tap_ok(of_process->entity == TASKRT_ENTITY_PROCESS && !of_process->tid &&
	       of_process->tgid == (uint32_t)getpid(), "a process says that it is one");
	tap_ok(of_thread->valid & TASKRT_VALID_CPU && !of_thread->cpu, "a thread has a CPU");
	tap_ok(!(of_process->valid & TASKRT_VALID_CPU) && !of_process->cpu, "a process has none");
	tap_ok(!(of_thread->valid & TASKRT_VALID_THREADS) &&
	       of_process->valid & TASKRT_VALID_THREADS, "a process has threads");
}

static void nothing_reserved(void)
{
	static const uint64_t zeros[8];
	struct raw_answer answer;
	const struct taskrt_stats *stats = &answer.last.reading.stats;

	raw_get(&raw, TASKRT_A_TID, 0, 0, &answer);
	tap_ok(!memcmp(stats->reserved, zeros, sizeof(stats->reserved)) &&
	       !stats->measured.reserved && !stats->measured.reserved2, "what is reserved is 0");
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
	each_mask(TASKRT_A_TID, "thread");
	each_mask(TASKRT_A_TGID, "process");
	check_prefixes();
	never_moves();
	dumps();
	sizes();
	entities();
	nothing_reserved();
	tap_equal(misaligned, 0, "STATS and groups are aligned to 8 in message and buffer");
	raw_close(&raw);
	return tap_done();
}
