// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_diff(): which fields are differences, and of what. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "taskrt.h"

#define ALL_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* A reading whose every total is a different multiple of scale, in all the room that there is. */
static struct taskrt_reading reading(uint64_t scale)
{
	struct taskrt_reading r = { .groups = ALL_GROUPS, .stats = {
		.version = 3, .size = 256, .valid = 0x3ff,
		.measured = { .states = 0xfff, .timers = 3, .locks = 31, .values = 127 },
		.cpu_time_ns = 1 * scale, .queue_time_ns = 2 * scale,
		.page_fault_time_ns = 3 * scale, .lock_contention_time_ns = 4 * scale,
		.sample_time_ns = 1000 * scale, .tracked_since_ns = 5,
		.tracked_time_ns = 300 * scale, .start_time_ns = 6,
		.tid = 11, .tgid = 10, .ppid = 9, .uid = 8, .gid = 7,
		.cpu = scale, .state = scale, .cgroup = scale,
		.flags = scale, .exit_code = scale, .comm = "name",
		.threads = 100 * scale, .threads_gone = 5 * scale,
	} };
	int i;

	for (i = 0; i < TASKRT_STATES_ROOM; i++) {
		r.times.states_ns[i] = (i + 1) * scale;
		r.counts.states[i] = (i + 101) * scale;
		r.longests.states[i] = (struct taskrt_longest){ 300 + scale, i + scale };
	}
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++) {
		r.times.timers_ns[i] = (i + 41) * scale;
		r.counts.timers[i] = (i + 141) * scale;
		r.longests.timers[i] = (struct taskrt_longest){ 600 + scale, i + scale };
	}
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++) {
		r.times.locks_ns[i] = (i + 61) * scale;
		r.counts.locks[i] = (i + 161) * scale;
	}
	for (i = 48; i < 96; i++)
		r.counts_room[i] = (i + 181) * scale;
	return r;
}

static int diff(const struct taskrt_reading *before, const struct taskrt_reading *after,
		struct taskrt_reading *d)
{
	return taskrt_diff(before, after, d, sizeof(*d));
}

/* All that is a total went from 2x to 5x: the difference is that of scale 3. */
static void totals(void **state)
{
	struct taskrt_reading before = reading(2), after = reading(5), d;
	struct taskrt_reading expect = reading(3);

	(void)state;
	after.flags = TASKRT_FINAL;
	expect.flags = TASKRT_FINAL;
	expect.stats.sample_time_ns = after.stats.sample_time_ns;
	expect.stats.flags = after.stats.flags;
	expect.stats.exit_code = after.stats.exit_code;
	expect.stats.threads = after.stats.threads;
	expect.stats.cpu = after.stats.cpu;
	expect.stats.state = after.stats.state;
	expect.stats.cgroup = after.stats.cgroup;
	expect.longests = after.longests;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_memory_equal(&d, &expect, sizeof(d));
}

/* The states of the difference sum to its time, including states that are not known here. */
static void states_sum(void **state)
{
	struct taskrt_reading before = reading(17), after = reading(90), d;
	uint64_t sum = 0;
	int i;

	(void)state;
	assert_int_equal(diff(&before, &after, &d), 0);
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		sum += d.times.states_ns[i];
	assert_int_equal(sum, d.stats.tracked_time_ns);
	assert_int_equal(sum, 73 * 300);
}

static void nothing_happened(void **state)
{
	struct taskrt_reading r = reading(5), d, expect = { .groups = ALL_GROUPS };

	(void)state;
	assert_int_equal(diff(&r, &r, &d), 0);
	assert_int_equal(d.stats.cpu_time_ns, 0);
	assert_int_equal(d.stats.tracked_time_ns, 0);
	/* nor did any interval become the longest in between */
	assert_memory_equal(&d.times, &expect.times, sizeof(d.times));
	assert_memory_equal(d.counts_room, expect.counts_room, sizeof(d.counts_room));
	assert_memory_equal(&d.longests, &expect.longests, sizeof(d.longests));
}

static void longest(void **state)
{
	struct taskrt_reading before = reading(5), after = reading(5), d;

	(void)state;
	/* the same one, still going on, is longer now */
	after.longests.timers[TASKRT_TIMER_FAULT].ns++;
	/* another one, just as long */
	after.longests.timers[TASKRT_TIMER_LOCK].at_ns++;
	after.longests.states[23].at_ns++;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.longests.timers[0].ns, after.longests.timers[0].ns);
	assert_int_equal(d.longests.timers[1].at_ns, after.longests.timers[1].at_ns);
	assert_int_equal(d.longests.states[23].ns, after.longests.states[23].ns);
	assert_int_equal(d.longests.timers[2].ns, 0);
	assert_int_equal(d.longests.states[0].ns, 0);
	assert_int_equal(d.longests.states[0].at_ns, 0);
}

static void never_negative(void **state)
{
	struct taskrt_reading before = reading(5), after = reading(2), d, zero = { 0 };

	(void)state;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.stats.cpu_time_ns, 0);
	assert_int_equal(d.stats.queue_time_ns, 0);
	assert_int_equal(d.stats.page_fault_time_ns, 0);
	assert_int_equal(d.stats.tracked_time_ns, 0);
	assert_int_equal(d.stats.threads_gone, 0);
	assert_memory_equal(&d.times, &zero.times, sizeof(d.times));
	assert_memory_equal(d.counts_room, zero.counts_room, sizeof(d.counts_room));
}

/* Accounting was off in between: what was tracked began again at 0. */
static void tracked_anew(void **state)
{
	struct taskrt_reading before = reading(5), after = reading(2), d;
	int i;

	(void)state;
	after.stats.cpu_time_ns = before.stats.cpu_time_ns + 44;
	after.counts.values[TASKRT_VALUE_MAJOR_FAULTS] =
		before.counts.values[TASKRT_VALUE_MAJOR_FAULTS] + 3;
	for (i = TASKRT_TIMER_RECLAIM; i <= TASKRT_TIMER_WPCOPY; i++) {
		after.times.timers_ns[i] = before.times.timers_ns[i] + 1000 + i;
		after.counts.timers[i] = before.counts.timers[i] + i;
	}
	after.stats.tracked_since_ns = before.stats.sample_time_ns;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.stats.cpu_time_ns, 44);
	assert_int_equal(d.counts.values[TASKRT_VALUE_MAJOR_FAULTS], 3);
	assert_int_equal(d.counts.values[TASKRT_VALUE_WAKEUPS],
			 after.counts.values[TASKRT_VALUE_WAKEUPS]);
	assert_int_equal(d.stats.tracked_time_ns, after.stats.tracked_time_ns);
	assert_int_equal(d.stats.threads_gone, after.stats.threads_gone);
	for (i = TASKRT_TIMER_RECLAIM; i <= TASKRT_TIMER_WPCOPY; i++) {
		assert_int_equal(d.times.timers_ns[i], 1000 + i);
		assert_int_equal(d.counts.timers[i], i);
		after.times.timers_ns[i] = d.times.timers_ns[i];
	}
	assert_int_equal(d.counts.timers[TASKRT_TIMER_FAULT],
			 after.counts.timers[TASKRT_TIMER_FAULT]);
	assert_memory_equal(&d.times, &after.times, sizeof(d.times));
	assert_memory_equal(&d.longests, &after.longests, sizeof(d.longests));
}

static void what_both_have(void **state)
{
	struct taskrt_reading before = reading(1), after = reading(2), d, zero = { 0 };

	(void)state;
	before.stats.valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_THREADS;
	after.stats.valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_CGROUP;
	before.stats.measured.states = 0x80000001;
	after.stats.measured.states = 0x80000002;
	before.stats.measured.values = 1ULL << 63 | 1;
	after.stats.measured.values = 1ULL << 63 | 2;
	before.stats.version = 2;
	before.stats.size = 48;
	before.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS;
	after.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_LONGEST;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.stats.valid, TASKRT_VALID_CPU_TIME);
	assert_int_equal(d.stats.measured.states, 0x80000000);
	assert_int_equal(d.stats.measured.values, 1ULL << 63);
	assert_int_equal(d.stats.measured.locks, 31);
	assert_int_equal(d.stats.version, 2);
	assert_int_equal(d.stats.size, 48);
	assert_int_equal(d.groups, TASKRT_GROUP_TIMES);
	assert_int_equal(d.times.states_ns[0], 1);
	assert_memory_equal(d.counts_room, zero.counts_room, sizeof(d.counts_room));
	assert_memory_equal(&d.longests, &zero.longests, sizeof(d.longests));
	assert_int_equal(diff(&after, &before, &d), 0);
	assert_int_equal(d.stats.version, 2);
	assert_int_equal(d.stats.size, 48);
}

/* A field that was added later may be a total or not, so that it is left out. */
/* What only one of them has is not in the difference. */
static void measured_once(void **state)
{
	struct taskrt_reading before = reading(1), after = reading(2), d;

	(void)state;
	before.stats.measured.timers = 1U << TASKRT_TIMER_FAULT;
	after.stats.measured.timers = 1U << TASKRT_TIMER_FAULT | 1U << TASKRT_TIMER_HARDIRQ;
	before.times.timers_ns[TASKRT_TIMER_HARDIRQ] = 0;
	before.counts.timers[TASKRT_TIMER_HARDIRQ] = 0;
	before.stats.measured.values = 1ULL << TASKRT_VALUE_WAKEUPS;
	after.stats.measured.values = 1ULL << TASKRT_VALUE_WAKEUPS | 1ULL << TASKRT_VALUE_CYCLES;
	before.counts.values[TASKRT_VALUE_CYCLES] = 0;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.stats.measured.timers, 1U << TASKRT_TIMER_FAULT);
	assert_int_equal(d.times.timers_ns[TASKRT_TIMER_HARDIRQ], 0);
	assert_int_equal(d.counts.timers[TASKRT_TIMER_HARDIRQ], 0);
	assert_int_equal(d.stats.measured.values, 1ULL << TASKRT_VALUE_WAKEUPS);
	assert_int_equal(d.counts.values[TASKRT_VALUE_CYCLES], 0);
	assert_int_equal(d.longests.timers[TASKRT_TIMER_HARDIRQ].ns, 0);
	assert_int_equal(d.times.timers_ns[TASKRT_TIMER_FAULT], 41);
}

static void later_version(void **state)
{
	struct taskrt_reading before = reading(1), after = reading(2), d;
	int i;

	(void)state;
	before.stats.version = after.stats.version = 4;
	before.stats.size = after.stats.size = 320;
	before.stats.valid = after.stats.valid = ~0ULL;
	for (i = 32; i < 40; i++)
		before.stats_room[i] = after.stats_room[i] = 7;
	assert_int_equal(diff(&before, &after, &d), 0);
	assert_int_equal(d.stats.version, 3);
	assert_int_equal(d.stats.size, 256);
	assert_int_equal(d.stats.valid, 0x3ff);
	for (i = 32; i < 40; i++)
		assert_int_equal(d.stats_room[i], 0);
	assert_int_equal(d.times.states_ns[0], 1);
}

static void another_task(void **state)
{
	struct taskrt_reading a = reading(1), b, d = { .stats = { .cpu_time_ns = 77 } };

	(void)state;
	b = a;
	b.stats.tid++;
	assert_int_equal(diff(&a, &b, &d), -EINVAL);
	b = a;
	b.stats.tgid++;
	assert_int_equal(diff(&a, &b, &d), -EINVAL);
	b = a;
	b.stats.entity++;
	assert_int_equal(diff(&a, &b, &d), -EINVAL);
	b = a;
	b.stats.start_time_ns++;
	assert_int_equal(diff(&a, &b, &d), -EINVAL);
	/* It was tracked when a was read, and has a's identity since it executed a program. */
	b = a;
	b.stats.tracked_since_ns = a.stats.sample_time_ns - 1;
	assert_int_equal(diff(&a, &b, &d), -EINVAL);
	/* The earliest thread of a process may be another. */
	a.stats.entity = b.stats.entity = TASKRT_ENTITY_PROCESS;
	assert_int_equal(diff(&a, &b, &d), 0);
	d.stats.cpu_time_ns = 77;
	assert_int_equal(diff(NULL, &a, &d), -EINVAL);
	assert_int_equal(diff(&a, NULL, &d), -EINVAL);
	assert_int_equal(diff(&a, &a, NULL), -EINVAL);
	assert_int_equal(taskrt_diff(&a, &a, &d, sizeof(d) - 1), -EINVAL);
	assert_int_equal(d.stats.cpu_time_ns, 77);
}

static void in_place(void **state)
{
	struct taskrt_reading a = reading(2), b = reading(5), d, c;

	(void)state;
	assert_int_equal(diff(&a, &b, &d), 0);
	c = b;
	assert_int_equal(diff(&a, &c, &c), 0);
	assert_memory_equal(&c, &d, sizeof(d));
	c = a;
	assert_int_equal(diff(&c, &b, &c), 0);
	assert_memory_equal(&c, &d, sizeof(d));
}

/* Programs that were built with a longer reading, in memory of exactly that size. */
static void longer(void **state)
{
	const size_t size = sizeof(struct taskrt_reading) + 72;
	struct taskrt_reading a = reading(2), b = reading(5), d;
	char *before = calloc(1, size), *after = calloc(1, size), *out = malloc(size);
	size_t i;

	(void)state;
	memcpy(before, &a, sizeof(a));
	memcpy(after, &b, sizeof(b));
	memset(out, 0xff, size);
	assert_int_equal(diff(&a, &b, &d), 0);
	assert_int_equal(taskrt_diff((void *)before, (void *)after, (void *)out, size), 0);
	assert_memory_equal(out, &d, sizeof(d));
	for (i = sizeof(d); i < size; i++)
		assert_int_equal(out[i], 0);
	free(before);
	free(after);
	free(out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals),
		cmocka_unit_test(states_sum),
		cmocka_unit_test(nothing_happened),
		cmocka_unit_test(longest),
		cmocka_unit_test(never_negative),
		cmocka_unit_test(tracked_anew),
		cmocka_unit_test(what_both_have),
		cmocka_unit_test(measured_once),
		cmocka_unit_test(later_version),
		cmocka_unit_test(another_task),
		cmocka_unit_test(in_place),
		cmocka_unit_test(longer),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
