// SPDX-License-Identifier: GPL-2.0-only
/* taskrt_delta(): which fields are differences, and of what. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "taskrt.h"

/* A snapshot whose every total is a different multiple of scale. */
static struct taskrt_stats snapshot(uint64_t scale)
{
	struct taskrt_stats s = {
		.version = 3, .size = sizeof(s), .valid = 0x1ffff,
		.cpu_time_ns = 1 * scale, .queue_time_ns = 2 * scale,
		.page_fault_time_ns = 3 * scale, .lock_contention_time_ns = 4 * scale,
		.sample_time_ns = 1000 * scale, .tracked_since_ns = 5,
		.tracked_time_ns = 78 * scale, .start_time_ns = 6,
		.tid = 11, .tgid = 10, .ppid = 9, .uid = 8, .gid = 7,
		.flags = scale, .exit_code = scale, .comm = "name",
		.threads = 100 * scale, .threads_gone = 5 * scale,
		.voluntary_switches = 6 * scale, .involuntary_switches = 7 * scale,
		.wakeups = 8 * scale, .minor_faults = 9 * scale,
		.major_faults = 10 * scale, .minor_fault_time_ns = 11 * scale,
		.major_fault_time_ns = 12 * scale,
		.longest_fault = { 100 + scale, scale },
		.longest_lock = { 200 + scale, scale },
	};
	int i;

	for (i = 0; i < TASKRT_NR_STATES; i++) {
		s.states_ns[i] = (i + 1) * scale;
		s.longest_state[i] = (struct taskrt_longest){ 300 + scale, i + scale };
	}
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		s.lock_time_ns[i] = (i + 20) * scale;
		s.lock_count[i] = (i + 30) * scale;
	}
	return s;
}

/* All that is a total went from 2x to 5x: the difference is that of scale 3. */
static void totals(void **state)
{
	struct taskrt_stats before = snapshot(2), after = snapshot(5), d;
	struct taskrt_stats expect = snapshot(3);

	(void)state;
	expect.sample_time_ns = after.sample_time_ns;
	expect.flags = after.flags;
	expect.exit_code = after.exit_code;
	expect.threads = after.threads;
	expect.longest_fault = after.longest_fault;
	expect.longest_lock = after.longest_lock;
	memcpy(expect.longest_state, after.longest_state, sizeof(expect.longest_state));
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	assert_memory_equal(&d, &expect, sizeof(d));
}

static void states_sum(void **state)
{
	struct taskrt_stats before = snapshot(17), after = snapshot(90), d;
	uint64_t sum = 0;
	int i;

	(void)state;
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		sum += d.states_ns[i];
	assert_int_equal(sum, d.tracked_time_ns);
	assert_int_equal(sum, 73 * 78);
}

static void nothing_happened(void **state)
{
	struct taskrt_stats s = snapshot(5), d, expect = { .threads = 500 };
	size_t from = offsetof(struct taskrt_stats, threads);

	(void)state;
	assert_int_equal(taskrt_delta(&s, &s, &d), 0);
	assert_int_equal(d.cpu_time_ns, 0);
	assert_int_equal(d.tracked_time_ns, 0);
	/* nor was any interval the longest in between */
	assert_memory_equal((char *)&d + from, (char *)&expect + from, sizeof(d) - from);
}

static void longest(void **state)
{
	struct taskrt_stats before = snapshot(5), after = snapshot(5), d;

	(void)state;
	/* the same one, still going on, is longer now */
	after.longest_fault.ns++;
	/* another one, just as long */
	after.longest_lock.at_ns++;
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	assert_int_equal(d.longest_fault.ns, after.longest_fault.ns);
	assert_int_equal(d.longest_lock.at_ns, after.longest_lock.at_ns);
	assert_int_equal(d.longest_state[0].ns, 0);
	assert_int_equal(d.longest_state[0].at_ns, 0);
}

static void never_negative(void **state)
{
	struct taskrt_stats before = snapshot(5), after = snapshot(2), d;
	int i;

	(void)state;
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	assert_int_equal(d.cpu_time_ns, 0);
	assert_int_equal(d.queue_time_ns, 0);
	assert_int_equal(d.page_fault_time_ns, 0);
	assert_int_equal(d.tracked_time_ns, 0);
	assert_int_equal(d.threads_gone, 0);
	for (i = 0; i < TASKRT_NR_STATES; i++)
		assert_int_equal(d.states_ns[i], 0);
	for (i = 0; i < TASKRT_NR_LOCKS; i++)
		assert_int_equal(d.lock_count[i] | d.lock_time_ns[i], 0);
}

/* Accounting was off in between: what was tracked began again at 0. */
static void tracked_anew(void **state)
{
	struct taskrt_stats before = snapshot(5), after = snapshot(2), d;

	(void)state;
	after.cpu_time_ns = before.cpu_time_ns + 44;
	after.tracked_since_ns++;
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	assert_int_equal(d.cpu_time_ns, 44);
	assert_int_equal(d.tracked_time_ns, after.tracked_time_ns);
	assert_memory_equal(d.states_ns, after.states_ns, sizeof(d.states_ns));
	assert_memory_equal(&d.longest_lock, &after.longest_lock, sizeof(d.longest_lock));
}

static void versions_and_valid(void **state)
{
	struct taskrt_stats before = snapshot(1), after = snapshot(2), d;

	(void)state;
	before.valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_THREADS;
	after.valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_LOCKS;
	before.version = 2;
	before.size = 48;
	assert_int_equal(taskrt_delta(&before, &after, &d), 0);
	assert_int_equal(d.valid, TASKRT_VALID_CPU_TIME);
	assert_int_equal(d.version, 2);
	assert_int_equal(d.size, 48);
	assert_int_equal(taskrt_delta(&after, &before, &d), 0);
	assert_int_equal(d.version, 2);
	assert_int_equal(d.size, 48);
}

static void another_task(void **state)
{
	struct taskrt_stats a = snapshot(1), b, d = { .cpu_time_ns = 77 };

	(void)state;
	b = a;
	b.tid++;
	assert_int_equal(taskrt_delta(&a, &b, &d), -EINVAL);
	b = a;
	b.tgid++;
	assert_int_equal(taskrt_delta(&a, &b, &d), -EINVAL);
	b = a;
	b.start_time_ns++;
	assert_int_equal(taskrt_delta(&a, &b, &d), -EINVAL);
	assert_int_equal(taskrt_delta(NULL, &a, &d), -EINVAL);
	assert_int_equal(taskrt_delta(&a, NULL, &d), -EINVAL);
	assert_int_equal(taskrt_delta(&a, &a, NULL), -EINVAL);
	assert_int_equal(d.cpu_time_ns, 77);
}

static void in_place(void **state)
{
	struct taskrt_stats a = snapshot(2), b = snapshot(5), d, c;

	(void)state;
	assert_int_equal(taskrt_delta(&a, &b, &d), 0);
	c = b;
	assert_int_equal(taskrt_delta(&a, &c, &c), 0);
	assert_memory_equal(&c, &d, sizeof(d));
	c = a;
	assert_int_equal(taskrt_delta(&c, &b, &c), 0);
	assert_memory_equal(&c, &d, sizeof(d));
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
		cmocka_unit_test(versions_and_valid),
		cmocka_unit_test(another_task),
		cmocka_unit_test(in_place),
	};

	return cmocka_run_group_tests_name("delta", tests, NULL, NULL);
}
