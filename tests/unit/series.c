// SPDX-License-Identifier: GPL-2.0-only
/* Series: percentiles against sorted numbers; misses and jitter. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "taskrt.h"

static struct taskrt_series s;

static void add(uint64_t begin, uint64_t ns)
{
	struct taskrt_window w = {
		.begin_ns = begin, .elapsed_ns = ns, .flags = TASKRT_WINDOW_ENDED,
	};

	assert_int_equal(taskrt_series_add(&s, &w), 0);
}

static void empty(void **state)
{
	struct taskrt_jitter jitter = { .count = 7 };

	(void)state;
	taskrt_series_init(&s, 10, 10);
	assert_int_equal(taskrt_series_count(&s), 0);
	assert_int_equal(taskrt_series_misses(&s), 0);
	assert_int_equal(taskrt_series_min(&s), 0);
	assert_int_equal(taskrt_series_max(&s), 0);
	assert_int_equal(taskrt_series_mean(&s), 0);
	assert_int_equal(taskrt_series_percentile(&s, 99), 0);
	taskrt_series_jitter(&s, &jitter, sizeof(jitter));
	assert_int_equal(jitter.count, 0);
	assert_int_equal(jitter.mean_abs_ns, 0);
}

static void simple(void **state)
{
	struct taskrt_jitter jitter;

	(void)state;
	taskrt_series_init(&s, 20, 100);
	add(1000, 10);
	add(1105, 20);		/* 5 late; just in time */
	add(1195, 21);		/* 10 early; a miss */
	add(1325, 30);		/* 30 late */
	assert_int_equal(taskrt_series_count(&s), 4);
	assert_int_equal(taskrt_series_misses(&s), 2);
	assert_int_equal(taskrt_series_min(&s), 10);
	assert_int_equal(taskrt_series_max(&s), 30);
	assert_int_equal(taskrt_series_mean(&s), 20);
	assert_int_equal(taskrt_series_percentile(&s, 0), 10);
	assert_int_equal(taskrt_series_percentile(&s, 25), 10);
	assert_int_equal(taskrt_series_percentile(&s, 50), 20);
	assert_int_equal(taskrt_series_percentile(&s, 75), 21);
	assert_int_equal(taskrt_series_percentile(&s, 75.1), 30);
	assert_int_equal(taskrt_series_percentile(&s, 100), 30);
	taskrt_series_jitter(&s, &jitter, sizeof(jitter));
	assert_int_equal(jitter.count, 3);
	assert_int_equal(jitter.min_ns, -10);
	assert_int_equal(jitter.max_ns, 30);
	assert_int_equal(jitter.mean_abs_ns, 15);
}

/* 99.9 % of 41,000 are 40,959, not one more, although 99.9 is a little more as a double. */
static void whole_rank(void **state)
{
	uint64_t i;

	(void)state;
	taskrt_series_init(&s, 0, 0);
	for (i = 0; i < 41000; i++)
		add(i * 2000000, i < 40959 ? 1000 : 1000000);
	assert_true(taskrt_series_percentile(&s, 99.9) < 2000);
	assert_int_equal(taskrt_series_percentile(&s, 99.91), 1000000);
}

/* A window that has not ended does not count, even if it is final. */
static void not_ended(void **state)
{
	struct taskrt_window w = { .elapsed_ns = 10, .flags = TASKRT_FINAL };

	(void)state;
	taskrt_series_init(&s, 20, 100);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
	assert_int_equal(taskrt_series_count(&s), 0);
	w.flags |= TASKRT_WINDOW_ENDED;
	assert_int_equal(taskrt_series_add(&s, &w), 0);
	assert_int_equal(taskrt_series_count(&s), 1);
}

/* The function fills as much of a structure of another size as there is. */
static void sizes(void **state)
{
	unsigned char bytes[2 * sizeof(struct taskrt_jitter)], untouched[sizeof(bytes)];
	struct taskrt_jitter exact;
	size_t size, i;

	(void)state;
	taskrt_series_init(&s, 20, 100);
	add(1000, 10);
	add(1105, 20);
	add(1195, 20);
	taskrt_series_jitter(&s, &exact, sizeof(exact));
	memset(untouched, 0xa5, sizeof(untouched));
	for (size = 1; size <= sizeof(bytes); size++) {
		memcpy(bytes, untouched, sizeof(bytes));
		taskrt_series_jitter(&s, (void *)bytes, size);
		assert_memory_equal(bytes, &exact, size < sizeof(exact) ? size : sizeof(exact));
		for (i = sizeof(exact); i < size; i++)
			assert_int_equal(bytes[i], 0);
		assert_memory_equal(bytes + size, untouched, sizeof(bytes) - size);
	}
}

/* The longest window that there can be has the last bucket, which is inside. */
static void longest_window(void **state)
{
	static struct {
		struct taskrt_series s;
		unsigned char behind[64];
	} owned;
	const struct taskrt_window w = { .elapsed_ns = ~0ULL, .flags = TASKRT_WINDOW_ENDED };
	unsigned char untouched[64];

	(void)state;
	memset(&owned, 0xa5, sizeof(owned));
	memset(untouched, 0xa5, sizeof(untouched));
	taskrt_series_init(&owned.s, 0, 0);
	assert_int_equal(taskrt_series_add(&owned.s, &w), 0);
	assert_true(taskrt_series_percentile(&owned.s, 50) == ~0ULL);
	assert_memory_equal(owned.behind, untouched, sizeof(untouched));
}

static void neither(void **state)
{
	struct taskrt_jitter jitter;

	(void)state;
	taskrt_series_init(&s, 0, 0);
	add(1000, 1ULL << 40);
	add(2000, 5);
	assert_int_equal(taskrt_series_misses(&s), 0);
	taskrt_series_jitter(&s, &jitter, sizeof(jitter));
	assert_int_equal(jitter.count, 0);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* For numbers of any size a percentile is never too low, and at most 1/32 too high. */
static void percentiles(void **state)
{
	static const double percents[] = { 0, 0.1, 1, 10, 33.3, 50, 90, 99, 99.9, 99.99, 100 };
	static uint64_t sorted[5000];
	unsigned int seed = 1, i, k;

	(void)state;
	taskrt_series_init(&s, 0, 0);
	for (i = 0; i < 5000; i++) {
		sorted[i] = (((uint64_t)rand_r(&seed) << 32 | (uint32_t)rand_r(&seed)) << 1 |
			     (rand_r(&seed) & 1)) >> (rand_r(&seed) % 64);
		add(i, sorted[i]);
	}
	qsort(sorted, 5000, sizeof(sorted[0]), by_value);
	assert_true(sorted[0] < 32 && sorted[4999] >> 62);
	for (i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		double exact = percents[i] * 5000 / 100;
		uint64_t got = taskrt_series_percentile(&s, percents[i]), want;

		k = exact;
		k += k < exact;
		want = sorted[k ? k - 1 : 0];
		assert_true(got >= want);
		assert_true(got - want <= want / 32);
		assert_true(want >= 32 || got == want);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty),
		cmocka_unit_test(simple),
		cmocka_unit_test(whole_rank),
		cmocka_unit_test(not_ended),
		cmocka_unit_test(sizes),
		cmocka_unit_test(longest_window),
		cmocka_unit_test(neither),
		cmocka_unit_test(percentiles),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
