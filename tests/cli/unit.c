// SPDX-License-Identifier: GPL-2.0-only
/* Units, shares and names: what the command's output is made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <linux/taskrt_numbers.h>
#include <taskrt.h>

#include "common/element.h"
#include "common/names.h"
#include "common/state.h"
#include "common/text.h"
#include "common/units.h"
#include "fake_reading.h"
#include "report/report.h"

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
	setenv("TZ", "UTC-2", 1);
	assert_string_equal(units_wall(text, 1764424987123456789, 86399999999999), "16:03:07.123");
	assert_string_equal(units_wall(text, 1764424987123456789, 86400000000000), "11-29 16:03:07");
	assert_string_equal(units_wall(text, 0, 0), "02:00:00.000");
}

static unsigned int sum(const unsigned int *permille, size_t count)
{
	unsigned int total = 0;

	while (count--)
		total += permille[count];
	return total;
}

static void plurals(void **state)
{
	(void)state;
	assert_string_equal(units_plural(0, "es"), "es");
	assert_string_equal(units_plural(1, "es"), "");
	assert_string_equal(units_plural(2, "s"), "s");
}

static void endings(void **state)
{
	static const struct sample samples[] = {
		{ 0, "exit 0" }, { 7 << 8, "exit 7" }, { 255 << 8, "exit 255" }, { 9, "KILL" },
		{ 11 | 0x80, "SEGV core" }, { 24 | 0x80, "XCPU core" }, { 34, "sig 34" },
	};
	char text[ENDING_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(samples); i++)
		assert_string_equal(ending_text(text, (uint32_t)samples[i].value),
				    samples[i].text);
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

static void begin_text(const char *locale)
{
	setenv("LC_ALL", locale, 1);
	text_begin();
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
		{ "\342\200\256a\342\201\246b", "???a???b" },	/* U+202E, U+2066: directions */
		{ "\330\234\342\200\216\342\200\250", "????????" },	/* U+061C, U+200E, U+2028 */
		{ "\330\233\342\200\247\342\201\252", "\330\233\342\200\247\342\201\252" },
	};
	char safe[64];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(samples); i++) {
		begin_text("C.UTF-8");
		assert_string_equal(text_safe(safe, sizeof(safe), samples[i].name, 64),
				    samples[i].safe);
		begin_text("C");
		assert_string_equal(text_utf8(safe, sizeof(safe), samples[i].name, 64),
				    samples[i].safe);
	}
}

/* U+00DB is C3 9B, and 9B is ESC [ where each byte is a character. */
static void other_terminals(void **state)
{
	char safe[64];

	(void)state;
	begin_text("C");
	assert_string_equal(text_safe(safe, sizeof(safe), "\303\2332J\303\251a", 64), "??2J??a");
	begin_text("no such locale");
	assert_string_equal(text_safe(safe, sizeof(safe), "\303\2332J\303\251a", 64), "??2J??a");
}

/*
 * Names are followed by blanks by the columns that they take, which are not their bytes: an o
 * with dots, an o and dots above it, and two characters of two columns.
 */
static void padded_names(void **state)
{
	(void)state;
	begin_text("C.UTF-8");
	assert_int_equal(text_padding("audio", 15), 10);
	assert_int_equal(text_padding("h\303\266ren", 15), 10);
	assert_int_equal(text_padding("ho\314\210ren", 15), 10);
	assert_int_equal(text_padding("\351\237\263\345\243\260", 15), 11);
	assert_int_equal(text_padding("\303", 15), 14);
	assert_int_equal(text_padding("", 15), 15);
	assert_int_equal(text_padding("0123456789abcde", 15), 0);
	assert_int_equal(text_padding("0123456789abcde", 4), 0);
	begin_text("C");
	assert_int_equal(text_padding("audio", 15), 10);
}

static void cut_names(void **state)
{
	char safe[4], whole[17];

	(void)state;
	begin_text("C.UTF-8");
	/* Between characters, never within one; and no NUL is needed. */
	assert_string_equal(text_safe(safe, sizeof(safe), "ab\303\251", 4), "ab");
	assert_string_equal(text_safe(safe, sizeof(safe), "abcdef", 6), "abc");
	assert_string_equal(text_safe(whole, sizeof(whole), "0123456789abcdefX", 16),
			    "0123456789abcdef");
}

static struct taskrt_reading measured_as_usual(void)
{
	return (struct taskrt_reading){
		.groups = TASKRT_GROUP_TIMES,
		.stats = { .valid = field_valid_all(), .measured = names_usual },
	};
}

static void ranks(void **state)
{
	struct taskrt_reading nothing = measured_as_usual(), reading = nothing;
	uint64_t *states = (uint64_t *)reading.times.states_ns;
	struct rank rank;

	(void)state;
	states[TASKRT_STATE_WOKEN] = 10;
	states[TASKRT_STATE_RUNNING] = 20;
	states[TASKRT_STATE_STOPPED] = 20;
	rank_states(&rank, &reading, 50);
	assert_int_equal(rank.count, 4);
	assert_int_equal(rank.total_ns, 100);
	assert_int_equal(rank.rows[0].state, RANK_NOT_ALIVE);
	assert_int_equal(rank.rows[0].permille, 500);
	assert_int_equal(rank.rows[1].state, TASKRT_STATE_RUNNING);
	assert_int_equal(rank.rows[2].state, TASKRT_STATE_STOPPED);
	assert_int_equal(rank.rows[3].state, TASKRT_STATE_WOKEN);
	rank_states(&rank, &nothing, 0);
	assert_int_equal(rank.count, 0);
}

static void unmeasured_states(void **state)
{
	struct taskrt_reading reading = measured_as_usual();
	struct rank rank;

	(void)state;
	reading.stats.measured.states &= ~(1U << TASKRT_STATE_BLOCKED_LOCK);
	assert_true(element_of(&reading, TASKRT_NAME_STATE, TASKRT_STATE_RUNNING).timed);
	assert_true(element_of(&reading, TASKRT_NAME_STATE, TASKRT_STATE_BLOCKED_FAULT).timed);
	assert_false(element_of(&reading, TASKRT_NAME_STATE, TASKRT_STATE_BLOCKED_LOCK).timed);
	assert_false(element_of(&reading, TASKRT_NAME_STATE, TASKRT_STATE_RUNNING).peaked);
	assert_true(reading_has_states(&reading));
	reading.groups = 0;
	assert_false(element_of(&reading, TASKRT_NAME_STATE, TASKRT_STATE_RUNNING).timed);
	assert_false(reading_has_states(&reading));
	/* What is present but not measured is not shown. */
	reading.groups = TASKRT_GROUP_TIMES;
	reading.times.states_ns[TASKRT_STATE_BLOCKED_LOCK] = 5;
	rank_states(&rank, &reading, 0);
	assert_int_equal(rank.count, 0);
}

static void elements(void **state)
{
	struct taskrt_reading reading = measured_as_usual();
	struct element e;
	unsigned int next = 0;

	(void)state;
	reading.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST;
	reading.stats.measured.timers |= READING_STALLS;
	reading.stats.measured.locks &= ~(1U << TASKRT_LOCK_OTHER);
	reading.times.timers_ns[TASKRT_TIMER_RECLAIM] = 5;
	reading.counts.timers[TASKRT_TIMER_RECLAIM] = 6;
	reading.longests.timers[TASKRT_TIMER_RECLAIM] = (struct taskrt_longest){ 7, 8 };
	reading.counts.locks[TASKRT_LOCK_OTHER] = 9;
	reading.counts.values[TASKRT_VALUE_USER_NS] = 10;
	e = element_of(&reading, TASKRT_NAME_TIMER, TASKRT_TIMER_RECLAIM);
	assert_true(e.measured && e.timed && e.counted && !e.peaked);
	assert_int_equal(e.ns, 5);
	assert_int_equal(e.count, 6);
	assert_int_equal(e.longest.ns, 0);
	e = element_of(&reading, TASKRT_NAME_VALUE, TASKRT_VALUE_USER_NS);
	assert_string_equal(e.name, "user_time_ns");
	assert_true(e.measured && !e.timed && e.counted && !e.peaked);
	assert_int_equal(e.count, 10);
	/* One that is not measured is visited, and is 0. */
	for_each_element(&e, &reading, TASKRT_NAME_LOCK) {
		assert_int_equal(e.number, next++);
		assert_int_equal(e.timed, e.number != TASKRT_LOCK_OTHER);
		assert_int_equal(e.counted, e.measured);
		assert_int_equal(e.count + (uint64_t)e.peaked, 0);
	}
	assert_int_equal(next, TASKRT_LOCK_OTHER + 1);
	reading.groups = 0;
	e = element_of(&reading, TASKRT_NAME_TIMER, TASKRT_TIMER_RECLAIM);
	assert_true(e.measured && !e.timed && !e.counted && !e.ns && !e.count);
}

/* 16.65 and 83.35 percent, as whole ticks may be. */
static void modes_sum(void **state)
{
	struct taskrt_reading reading = measured_as_usual();
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	reading.groups = TASKRT_GROUP_COUNTS;
	reading.counts.values[TASKRT_VALUE_USER_NS] = 333000000;
	reading.counts.values[TASKRT_VALUE_SYSTEM_NS] = 1667000000;
	report_since_creation(out, &reading);
	fclose(out);
	assert_non_null(strstr(text, "user time 333 ms (16.7 %), system time 1.67 s (83.3 %),"));
	free(text);
}

/* A state that no table of the command has: under its own name, with its parent's cause. */
static void new_states(void **state)
{
	struct taskrt_reading reading = measured_as_usual();
	char gloss[STATE_GLOSS_MAX];
	struct rank rank;

	(void)state;
	setenv("FAKE", "new", 1);
	assert_string_equal(names_state(FAKE_NEW_STATE), "blocked_gate");
	assert_string_equal(names_of(TASKRT_NAME_LOCK, FAKE_NEW_LOCK), "portcullis");
	assert_string_equal(names_state(FAKE_NAMELESS_STATE), "state21");
	assert_string_equal(names_of(TASKRT_NAME_VALUE, 40), "value40");
	unsetenv("FAKE");
	assert_int_equal(names_find_states("blocked_gate", 12), 1U << FAKE_NEW_STATE);
	assert_int_equal(names_find_states("gate,x", 4), 1U << FAKE_NEW_STATE);
	assert_int_equal(names_find_states("blocked_g", 9), 1U << FAKE_NEW_STATE);
	assert_int_equal(names_find_states("futex", 5), 1U << TASKRT_STATE_SLEEPING_FUTEX);
	assert_int_equal(names_find_states("sleeping", 8), 1U << TASKRT_STATE_SLEEPING);
	assert_int_equal(names_find_states("f", 1), 1U << TASKRT_STATE_BLOCKED_FAULT |
			 1U << TASKRT_STATE_SLEEPING_FUTEX | 1U << TASKRT_STATE_SLEEPING_FILE);
	assert_int_equal(names_find_states("utex", 4), 0);
	assert_int_equal(names_find_states("", 0), 0);
	assert_int_equal(names_find_states("state21", 7), 0);
	assert_int_equal(state_share(FAKE_NEW_STATE), SHARE_LOCK);
	assert_int_equal(state_cause(FAKE_NEW_STATE), TASKRT_STATE_BLOCKED_LOCK);
	assert_int_equal(state_share(FAKE_NAMELESS_STATE), NR_SHARES);
	assert_string_equal(state_gloss(gloss, FAKE_NEW_STATE), "a kind of blocked_lock");
	assert_string_equal(state_gloss(gloss, FAKE_NAMELESS_STATE), "");
	reading.stats.measured.states |= 1U << FAKE_NEW_STATE;
	reading.times.states_ns[FAKE_NEW_STATE] = 7;
	rank_states(&rank, &reading, 0);
	assert_int_equal(rank.count, 1);
	assert_int_equal(rank.rows[0].state, FAKE_NEW_STATE);
}

static void shown(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < NAMES_MAX; i++) {
		assert_int_equal(names_shown(TASKRT_NAME_STATE, 0, i), i < 12);
		assert_int_equal(names_shown(TASKRT_NAME_TIMER, 0, i), i < 2);
		assert_int_equal(names_shown(TASKRT_NAME_LOCK, 0, i), i < 5);
		assert_int_equal(names_shown(TASKRT_NAME_VALUE, 0, i), i < 9);
		/* A number for which there is no room is never shown. */
		assert_int_equal(names_shown(TASKRT_NAME_STATE, ~0ULL, i), i < TASKRT_STATES_ROOM);
		assert_int_equal(names_shown(TASKRT_NAME_LOCK, ~0ULL, i), i < TASKRT_LOCKS_ROOM);
	}
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
	assert_string_equal(names_state(TASKRT_STATE_EXITED), "exited");
	assert_string_equal(names_state(77), "unknown");
}

/* Every state of this release has words of its own, and is in the column of its parent. */
static void state_words(void **state)
{
	char gloss[STATE_GLOSS_MAX];
	unsigned int i, parent, named = 0;

	(void)state;
	for (i = 0; i < TASKRT_STATES_ROOM; i++) {
		if (!taskrt_state_name(i))
			continue;
		named++;
		parent = taskrt_state_parent((uint8_t)i);
		assert_in_range(strlen(taskrt_state_name(i)), 1, 15);
		assert_int_equal(state_cause(i), i);
		assert_int_equal(state_share(i), state_share(parent));
		assert_in_range(strlen(state_gloss(gloss, i)), 1, 25);
		assert_null(strstr(state_gloss(gloss, i), "a kind of"));
		assert_in_range(strlen(state_phrase(i)), 1, 60);
		if (!strncmp(taskrt_state_name(i), "sleeping", 8))
			assert_int_equal(state_share(i), SHARE_SLEEP);
	}
	assert_in_range(named, TASKRT_STATE_STOPPED + 1, TASKRT_STATES_ROOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(sizes),
		cmocka_unit_test(instants),
		cmocka_unit_test(plurals),
		cmocka_unit_test(endings),
		cmocka_unit_test(shares_of_thirds),
		cmocka_unit_test(shares_of_nothing),
		cmocka_unit_test(shares_at_the_limit),
		cmocka_unit_test(shares_of_anything),
		cmocka_unit_test(safe_names),
		cmocka_unit_test(other_terminals),
		cmocka_unit_test(cut_names),
		cmocka_unit_test(padded_names),
		cmocka_unit_test(elements),
		cmocka_unit_test(modes_sum),
		cmocka_unit_test(ranks),
		cmocka_unit_test(unmeasured_states),
		/* The first test that asks the module, which is asked once. */
		cmocka_unit_test(new_states),
		cmocka_unit_test(shown),
		cmocka_unit_test(field_names),
		cmocka_unit_test(state_words),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("tools", tests, NULL, NULL);
}
