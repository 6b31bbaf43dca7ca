// SPDX-License-Identifier: GPL-2.0-only
/* A page of a later module, and a page that no module would write. */
#include <errno.h>

#define SINCE	1000000000ULL

#include "own_page.h"

#define IN_FAULT	(1u << TASKRT_TIMER_FAULT)
#define IN_LOCK		(1u << TASKRT_TIMER_LOCK)

static void versions(void **state)
{
	(void)state;
	page->version = 0;
	assert_int_equal(taskrt_mapping_attach(self, page), -EPROTO);
	page->version = TASKRT_PAGE_VERSION;
	page->size = sizeof(*page) - 1;
	assert_int_equal(taskrt_mapping_attach(self, page), -EPROTO);
	page->size = page->map_size + 1;
	assert_int_equal(taskrt_mapping_attach(self, page), -EPROTO);
	page->version = TASKRT_PAGE_VERSION + 1;
	page->size = sizeof(*page) + 64;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
}

/* Each array in turn is out of bounds. */
static void arrays_out_of_bounds(void **state)
{
	static const uint32_t bytes[] = {
		8, sizeof(struct taskrt_counts), sizeof(struct taskrt_intervals),
		sizeof(struct taskrt_intervals), 8, sizeof(struct taskrt_waker),
	};
	struct taskrt_page_array *arrays[] = {
		&page->timers_since, &page->counts, &page->state_intervals, &page->timer_intervals,
		&page->held_states, &page->waker,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		struct taskrt_page_array good = *arrays[i];
		uint32_t most = page->map_size - bytes[i];
		const struct taskrt_page_array bad[] = {
			{ most + 8, bytes[i], 1, 0 },
			{ most, bytes[i], 2, 0 },
			{ most - 1016, 1024, 2, 0 },
			{ page->map_size, bytes[i], 1, 0 },
			{ ~7u, bytes[i], 1, 0 },
			{ 704, ~7u, 2, 0 },
			{ 704, bytes[i], ~0u, 0 },
			{ 704, ~7u, ~0u, 0 },
			{ 704, bytes[i] - 8, 1, 0 },
			{ 704, 0, 1, 0 },
			{ 708, bytes[i], 1, 0 },
			{ 704, bytes[i] + 4, 1, 0 },
		};
		const struct taskrt_page_array fine[] = {
			{ most, bytes[i], 1, 0 },
			{ most, bytes[i] + 1024, 1, 0 },
			{ most - 1024, 1024, 2, 0 },
			{ 704, ~7u, 1, 0 },
			{ 0, 0, 0, 0 },
			{ 0, 1, ~0u, 0 },
			{ 704, 0, 0, 0 },
		};
		unsigned int k;

		for (k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
			*arrays[i] = bad[k];
			assert_int_equal(taskrt_mapping_attach(self, page), -EPROTO);
		}
		for (k = 0; k < sizeof(fine) / sizeof(fine[0]); k++) {
			*arrays[i] = fine[k];
			assert_int_equal(taskrt_mapping_attach(self, page), 0);
		}
		*arrays[i] = good;
	}
}

/* Only whole pages are accepted, no less than the known part, and no more than a limit. */
static void map_sizes(void **state)
{
	static const uint32_t bad[] = { 0, 1, 703, 704, 4095, 4097, 12287, 1u << 31, ~4095u, ~0u };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		page->map_size = bad[i];
		assert_int_equal(taskrt_mapping_size(page, 4096), 0);
	}
	page->map_size = 12288;
	assert_int_equal(taskrt_mapping_size(page, 4096), 12288);
	assert_int_equal(taskrt_mapping_size(page, 65536), 0);
	page->version = 0;
	assert_int_equal(taskrt_mapping_size(page, 4096), 0);
}

/* A page with more than is known here: the library does not read that, and finds what it knows. */
static void next_page(void **state)
{
	struct taskrt_reading reading;
	unsigned int i;

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	page->version = TASKRT_PAGE_VERSION + 1;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		page_state(page, i)->longest.ns = 1000 + i;
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		page_timer(page, i)->longest.ns = 2000 + i;
	memset(page_counts(page), 1, sizeof(struct taskrt_counts));
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	fake_now = SINCE + 164;
	memset(&reading, 0xff, sizeof(reading));
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, ALL);
	/* Values that are unknown here are returned as well, for a program that knows them. */
	assert_memory_equal(reading.counts_room, page_counts(page), sizeof(reading.counts_room));
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		assert_int_equal(reading.longests.states[i].ns, 1000 + i);
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		assert_int_equal(reading.longests.timers[i].ns, 2000 + i);
	assert_int_equal(sum_of_states(&reading.times), 100);

	/* what is in progress is the longest, also of the last timer that there is room for */
	page->in_progress = 1u << (TASKRT_TIMERS_ROOM - 1);
	*page_since(page, TASKRT_TIMERS_ROOM - 1) = SINCE + 500;
	fake_now = SINCE + 9564;
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.longests.timers[TASKRT_TIMERS_ROOM - 1].ns, 9000);
	assert_int_equal(reading.longests.timers[TASKRT_TIMERS_ROOM - 1].at_ns, SINCE + 500);
}

/*
 * Time in progress is added to an unknown timer as to the others; that of an unknown lock
 * to no kind.
 */
static void in_progress_unknown(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	*page_since(page, 15) = SINCE + 100;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 200;
	page->lock = TASKRT_LOCKS_ROOM;
	page->in_progress = 0xffff0000 | 1u << 15 | IN_LOCK;
	fake_now = SINCE + 1300;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.times.timers_ns[15], 200);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 100);
	now.times.timers_ns[15] -= 200;
	now.times.timers_ns[TASKRT_TIMER_LOCK] -= 100;
	now.times.states_ns[TASKRT_STATE_RUNNING] -= 300;
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));

	page->lock = TASKRT_LOCKS_ROOM - 1;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.times.locks_ns[TASKRT_LOCKS_ROOM - 1], 100);

	/* the page does not say since when */
	page->timers_since.nr = 0;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	assert_int_equal(read_elsewhere(&now), 0);
	now.times.states_ns[TASKRT_STATE_RUNNING] -= 300;
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));
}

/* A state that no module can have must not be used as an index. */
static void no_such_state(void **state)
{
	static const uint32_t states[] = { TASKRT_STATES_ROOM, 25, 30, 32, 1u << 31, ~0u };
	struct taskrt_reading reading;
	unsigned int i;

	(void)state;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 700);
	fake_now = SINCE + 1000000;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		page->state = states[i];
		expect_final(SINCE + 700);
		assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
		assert_int_equal(reading.flags, TASKRT_FINAL);
		assert_false(taskrt_has(&reading.stats, TASKRT_VALID_STATE));
		assert_int_equal(reading.stats.state, 0);
		assert_int_equal(reading.stats.flags & TASKRT_FLAG_EXITED, 0);
		assert_memory_equal(&reading.times, &page->times, sizeof(reading.times));
	}
}

/* A state of a later module has its own word, and the sum is right. */
static void unknown_state(void **state)
{
	struct taskrt_reading reading;
	struct taskrt_snapshot now;
	uint32_t s;

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	page->measured.states = (1u << TASKRT_STATES_ROOM) - 1;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	for (s = 12; s < TASKRT_STATES_ROOM; s++)
		page_switch(page, s, SINCE + 100 * (s - 11));
	fake_now = SINCE + 5000 + TASKRT_BEHIND_OTHERS_NS;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(sum_of_states(&now.times), 5000);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_RUNNING], 100);
	for (s = 12; s < 23; s++)
		assert_int_equal(now.times.states_ns[s], 100);
	assert_int_equal(now.times.states_ns[23], 5000 - 1200);

	self->opener = NULL;
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.stats.state, 23);
	assert_true(taskrt_has(&reading.stats, TASKRT_VALID_STATE));
	assert_true(taskrt_measures(reading.stats.measured.states, 12));
	assert_int_equal(sum_of_states(&reading.times), reading.stats.tracked_time_ns);
	assert_int_equal(reading.counts.states[12], 1);
	assert_int_equal(reading.longests.states[12].ns, 100);
	assert_int_equal(reading.longests.states[12].at_ns, SINCE + 100);
	assert_int_equal(reading.longests.states[23].ns, 3800);
}

/*
 * The time on a CPU and the time in a queue contain those of later states whose ancestors
 * they know; and of no state that is its own ancestor.
 */
static void unknown_parents(void **state)
{
	struct taskrt_reading reading;

	(void)state;
	start_with(page_new_of(&page_next, SINCE));
	page->measured.states = (1u << TASKRT_STATES_ROOM) - 1;
	page->cpu_before_ns = 7;
	page->queue_before_ns = 9;
	memset(page->parent, TASKRT_STATE_SLEEPING, sizeof(page->parent));
	page->parent[17] = TASKRT_STATE_PREEMPTED;
	page->parent[18] = TASKRT_STATE_RUNNING;
	page->parent[19] = TASKRT_STATE_WOKEN;
	page->parent[20] = 17;
	page->parent[21] = 21;
	page->parent[23] = TASKRT_STATE_THROTTLED;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	page->times.states_ns[17] = 1000;
	page->times.states_ns[18] = 20000;
	page->times.states_ns[19] = 300000;
	page->times.states_ns[20] = 4000000;
	page->times.states_ns[21] = 50000000;
	page->times.states_ns[22] = 600000000;
	page->times.states_ns[23] = 7000000000;
	at(100);
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_true(taskrt_has(&reading.stats, TASKRT_VALID_CPU_TIME));
	assert_true(taskrt_has(&reading.stats, TASKRT_VALID_QUEUE_TIME));
	assert_int_equal(reading.stats.cpu_time_ns - reading.times.states_ns[0], 7 + 20000 + 100);
	assert_int_equal(reading.stats.queue_time_ns, 7004301009);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(versions, start, finish),
		cmocka_unit_test_setup_teardown(arrays_out_of_bounds, start, finish),
		cmocka_unit_test_setup_teardown(map_sizes, start, finish),
		cmocka_unit_test_setup_teardown(next_page, start, finish),
		cmocka_unit_test_setup_teardown(in_progress_unknown, start, finish),
		cmocka_unit_test_setup_teardown(no_such_state, start, finish),
		cmocka_unit_test_setup_teardown(unknown_state, start, finish),
		cmocka_unit_test_setup_teardown(unknown_parents, start, finish),
	};

	return cmocka_run_group_tests_name("self_page", tests, NULL, NULL);
}
