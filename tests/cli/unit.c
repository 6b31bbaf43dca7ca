// SPDX-License-Identifier: GPL-2.0-only
/* Units, shares, names and findings: what the command's output is made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <taskrt.h>

#include "field.h"
#include "finding.h"
#include "rank.h"
#include "text.h"
#include "units.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct sample {
	uint64_t value;
	const char *text;
};

static void times(void **state)
{
	static const struct sample samples[] = {
		{ 0, "0 ns" }, { 1, "1 ns" }, { 999, "999 ns" }, { 1000, "1.00 us" },
		{ 9994, "9.99 us" }, { 9995, "10.0 us" }, { 99949, "99.9 us" },
		{ 99950, "100 us" }, { 999499, "999 us" }, { 999500, "1.00 ms" },
		{ 14200000, "14.2 ms" }, { 999999999, "1.00 s" }, { 3600000000000, "3600 s" },
		{ 9999000000000, "9999 s" }, { 10000000000000, "2.78 h" },
		{ 359000000000000, "99.7 h" }, { 360000000000000, "4.17 d" },
		{ UINT64_MAX, "213504 d" },
	};
	char text[UNITS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(samples); i++)
		assert_string_equal(units_time(text, samples[i].value), samples[i].text);
}

static void sizes(void **state)
{
	static const struct sample samples[] = {
		{ 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.00 KiB" }, { 1536, "1.50 KiB" },
		{ 871424, "851 KiB" }, { 1048576, "1.00 MiB" }, { UINT64_MAX, "16777216 TiB" },
	};
	char text[UNITS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(samples); i++)
		assert_string_equal(units_bytes(text, samples[i].value), samples[i].text);
}

static void instants(void **state)
{
	char text[UNITS_MAX];

	(void)state;
	assert_string_equal(units_instant(text, 0), "0.000000");
	assert_string_equal(units_instant(text, 12345678901999), "12345.678901");
	assert_string_equal(units_instant(text, UINT64_MAX), "18446744073.709551");
}

static unsigned int sum(const unsigned int *permille, size_t count)
{
	unsigned int total = 0;

	while (count--)
		total += permille[count];
	return total;
}

static void shares_of_thirds(void **state)
{
	uint64_t parts[3] = { 1, 1, 1 };
	unsigned int permille[3];

	(void)state;
	units_shares(permille, parts, 3);
	assert_int_equal(permille[0], 334);
	assert_int_equal(permille[1], 333);
	assert_int_equal(permille[2], 333);
}

static void shares_of_nothing(void **state)
{
	uint64_t parts[2] = { 0, 0 };
	unsigned int permille[2] = { 5, 5 };

	(void)state;
	units_shares(permille, parts, 0);
	units_shares(permille, parts, 2);
	assert_int_equal(sum(permille, 2), 0);
}

static void shares_at_the_limit(void **state)
{
	uint64_t parts[3] = { UINT64_MAX, UINT64_MAX, 1 };
	unsigned int permille[3];

	(void)state;
	units_shares(permille, parts, 3);
	assert_int_equal(permille[0], 500);
	assert_int_equal(permille[1], 500);
	assert_int_equal(permille[2], 0);
}

/* Parts of every magnitude: the sum is exact, and no share is off by a tenth or more. */
static void shares_of_anything(void **state)
{
	uint64_t parts[13], seed = 88172645463325252ULL;
	unsigned int permille[13], round;
	size_t i;

	(void)state;
	for (round = 0; round < 100000; round++) {
		size_t count = 1 + round % 13;
		long double total = 0;

		for (i = 0; i < count; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			parts[i] = seed >> (seed % 61);
			total += parts[i];
		}
		units_shares(permille, parts, count);
		assert_int_equal(sum(permille, count), total ? 1000 : 0);
		for (i = 0; i < count && total; i++) {
			long double off = permille[i] - 1000 * (long double)parts[i] / total;

			assert_true(off > -1.001L && off < 1.001L);
		}
	}
}

static void safe_names(void **state)
{
	static const struct {
		const char *name;
		const char *safe;
	} samples[] = {
		{ "", "" }, { "audio_rt", "audio_rt" }, { "a\033[2Jb\n\177", "a?[2Jb??" },
		{ "\303\251\342\202\254\360\237\216\265", "\303\251\342\202\254\360\237\216\265" },
		{ "\377x\303", "?x?" },			/* no UTF-8, and cut off */
		{ "\302\233H", "??H" },			/* U+009B, a terminal's CSI */
		{ "\300\257\340\200\257", "?????" },	/* overlong */
		{ "\355\240\200\364\220\200\200", "???????" },	/* surrogate, too great */
	};
	char safe[64];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(samples); i++)
		assert_string_equal(text_safe(safe, sizeof(safe), samples[i].name, 64),
				    samples[i].safe);
}

static void cut_names(void **state)
{
	char safe[4], whole[17];

	(void)state;
	/* Between characters, never within one; and no NUL is needed. */
	assert_string_equal(text_safe(safe, sizeof(safe), "ab\303\251", 4), "ab");
	assert_string_equal(text_safe(safe, sizeof(safe), "abcdef", 6), "abc");
	assert_string_equal(text_safe(whole, sizeof(whole), "0123456789abcdefX", 16),
			    "0123456789abcdef");
}

static void ranks(void **state)
{
	struct taskrt_stats stats = { .valid = field_valid_all() };
	struct rank rank;

	(void)state;
	stats.states_ns[TASKRT_STATE_WOKEN] = 10;
	stats.states_ns[TASKRT_STATE_RUNNING] = 20;
	stats.states_ns[TASKRT_STATE_STOPPED] = 20;
	rank_states(&rank, &stats, 50);
	assert_int_equal(rank.count, 4);
	assert_int_equal(rank.total_ns, 100);
	assert_int_equal(rank.rows[0].state, RANK_NOT_ALIVE);
	assert_int_equal(rank.rows[0].permille, 500);
	assert_int_equal(rank.rows[1].state, TASKRT_STATE_RUNNING);
	assert_int_equal(rank.rows[2].state, TASKRT_STATE_STOPPED);
	assert_int_equal(rank.rows[3].state, TASKRT_STATE_WOKEN);
	rank_states(&rank, &(struct taskrt_stats){ .valid = field_valid_all() }, 0);
	assert_int_equal(rank.count, 0);
}

static void unmeasured_states(void **state)
{
	struct taskrt_stats stats = { .valid = TASKRT_VALID_STATES };

	(void)state;
	assert_true(rank_measured(&stats, TASKRT_STATE_RUNNING));
	assert_false(rank_measured(&stats, TASKRT_STATE_BLOCKED_FAULT));
	assert_false(rank_measured(&stats, TASKRT_STATE_BLOCKED_LOCK));
	stats.valid = field_valid_all() & ~TASKRT_VALID_STATES;
	assert_false(rank_measured(&stats, TASKRT_STATE_RUNNING));
}

static void field_names(void **state)
{
	size_t i;

	(void)state;
	/* Every bit once, in order. */
	for (i = 0; i < field_valid_count; i++)
		assert_int_equal(field_valid[i].bit, 1ULL << i);
	for (i = 0; i < field_flags_count; i++)
		assert_int_equal(field_flags[i].bit, 1ULL << i);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		assert_true(field_state_gloss(i) && strlen(field_state_gloss(i)) <= 25);
	assert_string_equal(field_state_name(TASKRT_STATE_EXITED), "exited");
	assert_string_equal(field_state_name(77), "unknown");
}

static struct taskrt_info healthy(void)
{
	struct taskrt_info info = {
		.stats_version = TASKRT_STATS_VERSION, .enabled = 1, .valid = field_valid_all(),
		.threads_made = 5, .threads_gone = 3, .threads = 2, .nr_hooks = 1,
		.hooks[0] = { .name = "sched_switch", .hits = 100000 },
	};

	strcpy(info.module_version, taskrt_version());
	return info;
}

/* Exactly one finding, of this kind, that speaks of this. */
static void expect(const struct taskrt_info *info, int problem, const char *part)
{
	struct findings findings;

	finding_collect(&findings, info);
	assert_int_equal(findings.count, 1);
	assert_int_equal(findings.problems, problem);
	assert_int_equal(findings.list[0].problem != 0, problem);
	assert_non_null(strstr(findings.list[0].text, part));
}

static void no_findings(void **state)
{
	struct taskrt_info info = healthy();
	struct findings findings;

	(void)state;
	finding_collect(&findings, &info);
	assert_int_equal(findings.count, 0);
	assert_int_equal(findings.problems, 0);
}

#define FINDS(member, value, problem, part) do {	\
	struct taskrt_info info = healthy();		\
							\
	info.member = (value);				\
	expect(&info, problem, part);			\
} while (0)

static void each_finding(void **state)
{
	(void)state;
	FINDS(stats_version, 2, 1, "too old");
	FINDS(stats_version, 4, 0, "newer");
	FINDS(module_version[0], 'x', 0, "release");
	FINDS(enabled, 0, 1, "switched off");
	FINDS(coarse_ns, 1000, 0, "1.00 us");
	FINDS(nr_hooks, 0, 1, "no hooks");
	FINDS(hooks[0].status, -ENOENT, 1, "no time at all");
	FINDS(hooks[0].status, -ENOENT, 1, "not in this kernel");
	FINDS(hooks[0].status, -ECANCELED, 1, "left out");
	FINDS(hooks[0].status, -EBUSY, 1, "busy");
	FINDS(hooks[0].misses, 100, 0, "missed 100 of 100100 calls");
	FINDS(hooks[0].misses, 101, 1, "missed 101 of");
	FINDS(valid, field_valid_all() & ~TASKRT_VALID_LOCK_TIME, 1, "states.blocked_lock");
	FINDS(threads, 3, 1, "by -1 records");
	FINDS(threads_gone, 2, 1, "by 1 records");
	FINDS(refused, 9, 1, "refused a record: 9;");
	FINDS(no_memory, 9, 1, "of memory: 9");
}

static void repaired(void **state)
{
	struct taskrt_info info = healthy();

	(void)state;
	info.no_memory = 9;
	info.repaired = 9;
	expect(&info, 0, "record late");
}

/* As many hooks as a module can tell of, all missing: no overrun, all counted. */
static void many_findings(void **state)
{
	struct taskrt_info info = healthy();
	struct findings findings;
	size_t i;

	(void)state;
	info.nr_hooks = UINT32_MAX;
	for (i = 0; i < TASKRT_HOOKS_MAX; i++)
		info.hooks[i].status = -ENOENT;
	info.valid = 0;
	finding_collect(&findings, &info);
	assert_int_equal(findings.count, TASKRT_HOOKS_MAX + 1);
	assert_non_null(strstr(findings.list[TASKRT_HOOKS_MAX].text, "threads_gone"));
	assert_int_equal(findings.problems, findings.count);
	while (findings.count < FINDINGS_MAX)
		finding_add(&findings, 1, "one more");
	finding_add(&findings, 1, "one too many");
	assert_int_equal(findings.count, FINDINGS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(sizes),
		cmocka_unit_test(instants),
		cmocka_unit_test(shares_of_thirds),
		cmocka_unit_test(shares_of_nothing),
		cmocka_unit_test(shares_at_the_limit),
		cmocka_unit_test(shares_of_anything),
		cmocka_unit_test(safe_names),
		cmocka_unit_test(cut_names),
		cmocka_unit_test(ranks),
		cmocka_unit_test(unmeasured_states),
		cmocka_unit_test(field_names),
		cmocka_unit_test(no_findings),
		cmocka_unit_test(each_finding),
		cmocka_unit_test(repaired),
		cmocka_unit_test(many_findings),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("tools", tests, NULL, NULL);
}
