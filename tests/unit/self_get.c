// SPDX-License-Identifier: GPL-2.0-only
/* All that a page contains, as netlink would report it. */
#include <errno.h>

#define SINCE	1000000000ULL

#include "own_page.h"

#define IN_FAULT	(1u << TASKRT_TIMER_FAULT)
#define IN_LOCK		(1u << TASKRT_TIMER_LOCK)

static void set_who(void)
{
	page->cpu_before_ns = 40;
	page->queue_before_ns = 50;
	page->flags = TASKRT_FLAG_PREEXISTING;
	page->ppid = 9;
	page->uid = 1000;
	page->gid = 1001;
	strcpy(page->comm, "mixer");
}

/* As netlink would report it. */
static void stats_of_it(void **state)
{
	const uint64_t valid = TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME |
			       TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME |
			       TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY | TASKRT_VALID_STATE;
	struct taskrt_reading reading;
	const struct taskrt_stats *stats = &reading.stats;

	(void)state;
	set_who();
	page_switch(page, TASKRT_STATE_PREEMPTED, SINCE + 100);
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 120);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 150);
	page->times.timers_ns[TASKRT_TIMER_FAULT] = 7;
	page->times.timers_ns[TASKRT_TIMER_LOCK] = 8;
	fake_now = SINCE + 1064;
	memset(&reading, 0xff, sizeof(reading));
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.flags, 0);
	assert_int_equal(stats->version, TASKRT_STATS_VERSION);
	assert_int_equal(stats->size, sizeof(*stats));
	assert_int_equal(stats->valid, valid);
	assert_memory_equal(&stats->measured, &page->measured, sizeof(page->measured));
	assert_int_equal(stats->entity, TASKRT_ENTITY_THREAD);
	assert_int_equal(stats->sample_time_ns, SINCE + 1000);
	assert_int_equal(stats->tracked_since_ns, SINCE);
	assert_int_equal(stats->tracked_time_ns, 1000);
	assert_int_equal(stats->cpu_time_ns, 40 + 100 + 850);
	assert_int_equal(stats->queue_time_ns, 50 + 50);
	assert_int_equal(stats->page_fault_time_ns, 7);
	assert_int_equal(stats->lock_contention_time_ns, 8);
	assert_int_equal(stats->start_time_ns, 5);
	assert_int_equal(stats->tid, 11);
	assert_int_equal(stats->tgid, 10);
	assert_int_equal(stats->ppid, 9);
	assert_int_equal(stats->uid, 1000);
	assert_int_equal(stats->gid, 1001);
	assert_string_equal(stats->comm, "mixer");
	assert_int_equal(stats->state, TASKRT_STATE_RUNNING);
	assert_int_equal(stats->flags, TASKRT_FLAG_PREEXISTING);

	/* what is not measured is not valid */
	page->measured = (struct taskrt_measured){ .states = 1 << TASKRT_STATE_RUNNING };
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_int_equal(stats->valid, TASKRT_VALID_CPU_TIME | TASKRT_VALID_CLOCK |
				       TASKRT_VALID_IDENTITY);
}

/* What is not measured reads 0, also while it goes on. */
static void not_measured(void **state)
{
	static const struct taskrt_times zero;
	struct taskrt_explanation e;
	struct taskrt_reading reading;
	struct taskrt_snapshot now;
	struct taskrt_window w;

	(void)state;
	page->measured = (struct taskrt_measured){ .values = 3 };
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	fake_now = SINCE + 1064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 1000);
	assert_memory_equal(&now.times, &zero, sizeof(zero));
	fake_now = SINCE + 9000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 8000);
	assert_memory_equal(&now.times, &zero, sizeof(zero));
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.stats.valid, TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY);
	assert_memory_equal(&reading.times, &zero, sizeof(zero));
	assert_int_equal(reading.longests.states[TASKRT_STATE_RUNNING].ns, 0);

	/* and so the time is unexplained */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	fake_now = SINCE + 19000;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 10000);
	assert_int_equal(taskrt_window_explain(&w, &e, sizeof(e)), 0);
	assert_int_equal(e.nr, 1);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 10000);
}

/* Stolen time is measured from the first that is seen; with others, it stays as it was. */
static void measured_later(void **state)
{
	const uint32_t later = 1u << TASKRT_TIMER_STEAL | 1u << TASKRT_TIMER_HARDIRQ;
	const uint32_t first = MEASURED_TIMERS & ~later;
	struct taskrt_measured measured;
	struct taskrt_reading reading;

	(void)state;
	page->measured.timers = first;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	assert_int_equal(taskrt_self_measured(self, &measured, sizeof(measured)), 0);
	assert_memory_equal(&measured, &page->measured, sizeof(measured));
	PAGE_SET(page->measured.timers, first | later);
	assert_int_equal(taskrt_self_measured(self, &measured, sizeof(measured)), 0);
	assert_int_equal(measured.timers, first | 1u << TASKRT_TIMER_STEAL);
	assert_int_equal(measured.states, page->measured.states);
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.stats.measured.timers, measured.timers);
}

/* The groups that are requested, and no others. */
static void groups(void **state)
{
	struct taskrt_counts *counts = page_counts(page);
	struct taskrt_reading reading;

	(void)state;
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 100);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 150);
	counts->timers[TASKRT_TIMER_LOCK] = 4;
	counts->locks[TASKRT_LOCK_MUTEX] = 3;
	counts->values[TASKRT_VALUE_WAKEUPS] = 5;
	counts->values[TASKRT_VALUES_ROOM - 1] = 6;
	page_timer(page, TASKRT_TIMER_LOCK)->longest =
		(struct taskrt_longest){ .ns = 33, .at_ns = SINCE + 44 };
	page->in_progress = IN_FAULT;
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 900;
	fake_now = SINCE + 1064;

	memset(&reading, 0xff, sizeof(reading));
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, 0);
	assert_true(is_zero(&reading.times, sizeof(reading) -
			    offsetof(struct taskrt_reading, times)));
	assert_int_equal(reading.stats.page_fault_time_ns, 100);

	assert_int_equal(taskrt_self_get(self, TASKRT_GROUP_TIMES, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, TASKRT_GROUP_TIMES);
	assert_int_equal(reading.times.states_ns[TASKRT_STATE_RUNNING], 100 + 850);
	assert_int_equal(reading.times.timers_ns[TASKRT_TIMER_FAULT], 100);
	assert_int_equal(sum_of_states(&reading.times), reading.stats.tracked_time_ns);
	assert_true(is_zero(&reading.counts, sizeof(reading.counts)));
	assert_true(is_zero(&reading.longests, sizeof(reading.longests)));

	/* with a group that does not exist */
	assert_int_equal(taskrt_self_get(self, ALL | 1u << 5, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, ALL);
	assert_memory_equal(&reading.counts, counts, sizeof(*counts));
	assert_int_equal(reading.counts.states[TASKRT_STATE_WOKEN], 1);
	assert_int_equal(reading.longests.states[TASKRT_STATE_RUNNING].ns, 850);
	assert_int_equal(reading.longests.states[TASKRT_STATE_RUNNING].at_ns, SINCE + 150);
	assert_int_equal(reading.longests.states[TASKRT_STATE_WOKEN].ns, 50);
	assert_int_equal(reading.longests.timers[TASKRT_TIMER_LOCK].ns, 33);
	assert_int_equal(reading.longests.timers[TASKRT_TIMER_LOCK].at_ns, SINCE + 44);
	assert_int_equal(reading.longests.timers[TASKRT_TIMER_FAULT].ns, 100);
	assert_int_equal(reading.longests.timers[TASKRT_TIMER_FAULT].at_ns, SINCE + 900);

	/* the page does not have them */
	page->counts.offset = 0;
	page->timer_intervals.nr = 0;
	assert_int_equal(taskrt_mapping_attach(self, page), 0);
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, TASKRT_GROUP_TIMES);
	assert_true(is_zero(&reading.counts, sizeof(reading.counts)));
	assert_true(is_zero(&reading.longests, sizeof(reading.longests)));
}

static void final_stats(void **state)
{
	struct taskrt_reading reading;

	(void)state;
	set_who();
	page_final(page, TASKRT_PAGE_ENDED, SINCE + 150);
	fake_now = SINCE + 1064;
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.flags, TASKRT_FINAL);
	assert_int_equal(reading.stats.state, TASKRT_STATE_EXITED);
	assert_true(taskrt_has(&reading.stats, TASKRT_VALID_STATE));
	assert_int_equal(reading.stats.flags, TASKRT_FLAG_PREEXISTING | TASKRT_FLAG_EXITED);
	assert_int_equal(reading.stats.sample_time_ns, SINCE + 150);
	assert_int_equal(reading.stats.tracked_time_ns, 150);
	assert_int_equal(reading.longests.states[TASKRT_STATE_RUNNING].ns, 150);

	/* the thread lives, but its state is not known */
	page->status = TASKRT_PAGE_STOPPED;
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.flags, TASKRT_FINAL);
	assert_int_equal(reading.stats.state, 0);
	assert_false(taskrt_has(&reading.stats, TASKRT_VALID_STATE));
	assert_int_equal(reading.stats.flags, TASKRT_FLAG_PREEXISTING);
	assert_int_equal(reading.stats.sample_time_ns, SINCE + 150);
}

/* A program of another release: its structure is shorter, or longer. */
static void sizes(void **state)
{
	static unsigned char bytes[2 * sizeof(struct taskrt_reading)], untouched[sizeof(bytes)];
	struct taskrt_reading exact;
	struct taskrt_measured measured[2];
	size_t size;

	(void)state;
	fake_now = SINCE + 1064;
	memset(untouched, UNKNOWN, sizeof(untouched));
	memcpy(bytes, untouched, sizeof(bytes));
	for (size = 0; size < sizeof(exact); size++)
		assert_int_equal(taskrt_self_get(self, ALL, (void *)bytes, size), -EINVAL);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	for (size = sizeof(exact); size < sizeof(bytes); size += 8) {
		self->last_ns = 0;
		assert_int_equal(taskrt_self_get(self, ALL, (void *)bytes, size), 0);
		assert_int_equal(taskrt_self_get(self, ALL, &exact, sizeof(exact)), 0);
		assert_memory_equal(bytes, &exact, sizeof(exact));
		assert_true(is_zero(bytes + sizeof(exact), size - sizeof(exact)));
		assert_memory_equal(bytes + size, untouched, sizeof(bytes) - size);
	}

	memset(measured, UNKNOWN, sizeof(measured));
	assert_int_equal(taskrt_self_measured(self, measured, sizeof(*measured) - 1), -EINVAL);
	assert_memory_equal(measured, untouched, sizeof(measured));
	assert_int_equal(taskrt_self_measured(self, measured, sizeof(*measured)), 0);
	assert_memory_equal(measured, &page->measured, sizeof(*measured));
	assert_memory_equal(&measured[1], untouched, sizeof(*measured));
	assert_int_equal(taskrt_self_measured(self, measured, sizeof(measured)), 0);
	assert_memory_equal(measured, &page->measured, sizeof(*measured));
	assert_true(is_zero(&measured[1], sizeof(*measured)));
}

/* A later module has counted one thing more, and a copy in steps of 16 bytes misses it. */
static void one_count_more(void **state)
{
	const struct page_shape longer = {
		.size = TASKRT_PAGE_SIZE, .more = 8, .nr_states = STATES, .nr_timers = TIMERS,
	};
	struct taskrt_reading reading;

	(void)state;
	start_with(page_new_of(&longer, SINCE));
	*(uint64_t *)(page_counts(page) + 1) = 5;
	at(100);
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.counts_room[sizeof(struct taskrt_counts) / 8], 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stats_of_it, start, finish),
		cmocka_unit_test_setup_teardown(not_measured, start, finish),
		cmocka_unit_test_setup_teardown(measured_later, start, finish),
		cmocka_unit_test_setup_teardown(groups, start, finish),
		cmocka_unit_test_setup_teardown(final_stats, start, finish),
		cmocka_unit_test_setup_teardown(sizes, start, finish),
		cmocka_unit_test_setup_teardown(one_count_more, start, finish),
	};

	return cmocka_run_group_tests_name("self_get", tests, NULL, NULL);
}
