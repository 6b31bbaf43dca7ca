// SPDX-License-Identifier: GPL-2.0-only
/* Reading a page: what is added to it, when nothing is, and in whose child. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SINCE	1000000000ULL

#include "own_page.h"

#define IN_FAULT	(1u << TASKRT_TIMER_FAULT)
#define IN_LOCK		(1u << TASKRT_TIMER_LOCK)

static void current(void **state)
{
	struct taskrt_snapshot now;
	int i;

	(void)state;
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 300);
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 1000);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 1100);
	for (i = 0; i < TASKRT_LOCKS_ROOM; i++)
		page->times.locks_ns[i] = 100 + i;
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		page->times.timers_ns[i] = 200 + i;
	fake_now = SINCE + 5064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(now.flags, 0);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_RUNNING], 300 + 3900);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_WOKEN], 100);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_SLEEPING_POLL], 700);
	assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
	now.times.states_ns[TASKRT_STATE_RUNNING] -= 3900;
	assert_memory_equal(&now.times, &page->times, sizeof(now.times));

	fake_now = SINCE + 6000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
}

/* The clock is a little behind what is on the page: then it is that instant. */
static void clock_behind(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 400);
	fake_now = SINCE + 463;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 400);
	assert_int_equal(sum_of_states(&now.times), 400);
	page_switch(page, TASKRT_STATE_SLEEPING, SINCE + 500);
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 500);
	assert_int_equal(sum_of_states(&now.times), 500);
}

/* The clock stands still, or goes back: each read is later than the one before. */
static void clock_still(void **state)
{
	struct taskrt_snapshot first, now;
	int i;

	(void)state;
	fake_now = SINCE + 5064;
	assert_int_equal(taskrt_self_read(self, &first), 0);
	for (i = 1; i < 4; i++) {
		assert_int_equal(taskrt_self_read(self, &now), 0);
		assert_int_equal(now.at_ns, first.at_ns + i);
		assert_int_equal(sum_of_states(&now.times), now.at_ns - SINCE);
		fake_now -= 10;
	}
	page->changes[0]++;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	page->changes[0]++;
	page->in_progress = IN_FAULT;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, first.at_ns + 4);
	page->in_progress = 0;
	fake_now = SINCE + 6064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 6000);
}

static void in_progress(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page->times.timers_ns[TASKRT_TIMER_FAULT] = 10;
	page->times.timers_ns[TASKRT_TIMER_LOCK] = 20;
	page->times.locks_ns[TASKRT_LOCK_RWSEM_WRITE] = 20;
	page->in_progress = IN_FAULT | IN_LOCK;
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 1000;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 1200;
	page->lock = TASKRT_LOCK_RWSEM_WRITE;
	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + 1500);
	fake_now = SINCE + 3000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
	assert_int_equal(now.times.states_ns[TASKRT_STATE_BLOCKED_LOCK], 500);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10 + 1000);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20 + 800);
	assert_int_equal(now.times.locks_ns[TASKRT_LOCK_RWSEM_WRITE], 20 + 800);
	assert_int_equal(sum_of_states(&now.times), 2000);

	/* one that began after now has not begun */
	*page_since(page, TASKRT_TIMER_FAULT) = SINCE + 2500;
	*page_since(page, TASKRT_TIMER_LOCK) = SINCE + 2500;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20);

	/* the thread itself is in none that it could be asked in, but the page decides */
	page->in_progress = IN_FAULT;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 2600);
	fake_now = SINCE + 2764;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_FAULT], 10 + 200);
	assert_int_equal(now.times.timers_ns[TASKRT_TIMER_LOCK], 20);
}

static void final(void **state)
{
	static const uint32_t stops[] = {
		TASKRT_PAGE_ENDED, TASKRT_PAGE_STOPPED, TASKRT_PAGE_REVOKED, 99,
	};
	unsigned int i;

	(void)state;
	page_final(page, TASKRT_PAGE_ENDED, SINCE + 700);
	page->in_progress = IN_FAULT;
	fake_now = SINCE + 1000000;
	for (i = 0; i < 4; i++) {
		page->status = stops[i];
		expect_final(SINCE + 700);
	}
	assert_int_equal(sum_of_states(&page->times), 700);
}

/* Whoever writes it stays in the middle: it is given up, not waited for. */
static void always_changing(void **state)
{
	struct taskrt_snapshot now;
	struct taskrt_reading reading;
	struct taskrt_histogram *histogram;

	(void)state;
	page->changes[0] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(read_elsewhere(&now), -EAGAIN);
	page->changes[0] = 2;
	page->changes[1] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), -EAGAIN);
	assert_int_equal(taskrt_histogram_open(&histogram, self), 0);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), -EAGAIN);
	page->changes[1] = 2;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), 0);
	taskrt_histogram_close(histogram);
}

/* It changes after the clock was looked at. */
static int late_clock(clockid_t clock, struct timespec *now)
{
	fake_clock(clock, now);
	page_switch(page, TASKRT_STATE_SLEEPING, fake_now + 100);
	page_switch(page, TASKRT_STATE_RUNNING, fake_now + 5000);
	return 0;
}

static void changed_after_the_clock(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	self->clock = late_clock;
	fake_now = SINCE + 1000;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 6000);
	assert_int_equal(sum_of_states(&now.times), 6000);
}

static void time_namespace(void **state)
{
	struct taskrt_snapshot now;

	(void)state;
	page->clock_offset_ns = 7000;
	assert_int_equal(taskrt_self_attach(self, page), 0);
	fake_now = SINCE + 9064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
	page->clock_offset_ns = -7000ULL;
	assert_int_equal(taskrt_self_attach(self, page), 0);
	fake_now = SINCE - 4936;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
}

static void versions(void **state)
{
	(void)state;
	page->version = 0;
	assert_int_equal(taskrt_self_attach(self, page), -EPROTO);
	page->version = TASKRT_PAGE_VERSION;
	page->size = sizeof(*page) - 1;
	assert_int_equal(taskrt_self_attach(self, page), -EPROTO);
	page->size = page->map_size + 1;
	assert_int_equal(taskrt_self_attach(self, page), -EPROTO);
	page->version = TASKRT_PAGE_VERSION + 1;
	page->size = sizeof(*page) + 64;
	assert_int_equal(taskrt_self_attach(self, page), 0);
}

/* Each of them in turn is what it cannot be. */
static void arrays_out_of_bounds(void **state)
{
	static const uint32_t bytes[] = {
		8, sizeof(struct taskrt_counts), sizeof(struct taskrt_intervals),
		sizeof(struct taskrt_intervals),
	};
	struct taskrt_page_array *arrays[] = {
		&page->timers_since, &page->counts, &page->state_intervals, &page->timer_intervals,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
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
			assert_int_equal(taskrt_self_attach(self, page), -EPROTO);
		}
		for (k = 0; k < sizeof(fine) / sizeof(fine[0]); k++) {
			*arrays[i] = fine[k];
			assert_int_equal(taskrt_self_attach(self, page), 0);
		}
		*arrays[i] = good;
	}
}

/* Whole pages, not less than what is known, nor more than anybody has. */
static void map_sizes(void **state)
{
	static const uint32_t bad[] = { 0, 1, 703, 704, 4095, 4097, 12287, 1u << 31, ~4095u, ~0u };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		page->map_size = bad[i];
		assert_int_equal(taskrt_self_map_size(page, 4096), 0);
	}
	page->map_size = 12288;
	assert_int_equal(taskrt_self_map_size(page, 4096), 12288);
	assert_int_equal(taskrt_self_map_size(page, 65536), 0);
	page->version = 0;
	assert_int_equal(taskrt_self_map_size(page, 4096), 0);
}

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

/* As netlink would tell it. */
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

	/* what is not measured is not said to be */
	page->measured = (struct taskrt_measured){ .states = 1 << TASKRT_STATE_RUNNING };
	assert_int_equal(taskrt_self_attach(self, page), 0);
	assert_int_equal(taskrt_self_get(self, 0, &reading, sizeof(reading)), 0);
	assert_int_equal(stats->valid, TASKRT_VALID_CPU_TIME | TASKRT_VALID_CLOCK |
				       TASKRT_VALID_IDENTITY);
}

static int is_zero(const void *from, size_t bytes)
{
	const char *byte = from;

	while (bytes && !*byte)
		byte++, bytes--;
	return !bytes;
}

/* What is asked for, and nothing else. */
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

	/* with one that there is not */
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
	assert_int_equal(taskrt_self_attach(self, page), 0);
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

	/* it lives, but nobody knows how */
	page->status = TASKRT_PAGE_STOPPED;
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.flags, TASKRT_FINAL);
	assert_int_equal(reading.stats.state, 0);
	assert_false(taskrt_has(&reading.stats, TASKRT_VALID_STATE));
	assert_int_equal(reading.stats.flags, TASKRT_FLAG_PREEXISTING);
	assert_int_equal(reading.stats.sample_time_ns, SINCE + 150);
}

/* More on the page than is known here: it is not read, and what is known is found. */
static void next_page(void **state)
{
	struct taskrt_reading reading;
	unsigned int i;

	(void)state;
	finish(NULL);
	page = page_new_of(&page_next, SINCE);
	page->version = TASKRT_PAGE_VERSION + 1;
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		page_state(page, i)->longest.ns = 1000 + i;
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		page_timer(page, i)->longest.ns = 2000 + i;
	memset(page_counts(page), 1, sizeof(struct taskrt_counts));
	self = fake_self(page);
	fake_now = SINCE + 164;
	memset(&reading, 0xff, sizeof(reading));
	assert_int_equal(taskrt_self_get(self, ALL, &reading, sizeof(reading)), 0);
	assert_int_equal(reading.groups, ALL);
	/* Also values that nobody here knows: for a program that does there is room. */
	assert_memory_equal(reading.counts_room, page_counts(page), sizeof(reading.counts_room));
	for (i = 0; i < TASKRT_STATES_ROOM; i++)
		assert_int_equal(reading.longests.states[i].ns, 1000 + i);
	for (i = 0; i < TASKRT_TIMERS_ROOM; i++)
		assert_int_equal(reading.longests.timers[i].ns, 2000 + i);
	assert_int_equal(sum_of_states(&reading.times), 100);
}

/* A program of another day: its structure is shorter, or longer. */
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

static int in_the_child(struct taskrt_histogram *histogram)
{
	struct taskrt_histogram *another;
	struct taskrt_measured measured;
	struct taskrt_reading reading;
	struct taskrt_snapshot now;
	struct taskrt_window w;

	if (taskrt_self_mapped(self) || taskrt_self_read(self, &now) != -ECHILD)
		return 1;
	if (taskrt_self_get(self, ALL, &reading, sizeof(reading)) != -ECHILD ||
	    taskrt_self_measured(self, &measured, sizeof(measured)) != -ECHILD ||
	    taskrt_histogram_read(histogram, NULL, 0) != -ECHILD ||
	    taskrt_histogram_open(&another, self) != -ECHILD || another ||
	    taskrt_self_alert(self, "late") != -ECHILD)
		return 2;
	if (taskrt_window_begin(&w, self) != -ECHILD || taskrt_window_end(&w) != -EINVAL)
		return 3;
	taskrt_histogram_close(histogram);
	taskrt_self_close(self);
	/* what is at the page's address now is not ours to take away */
	return page->version == TASKRT_PAGE_VERSION ? 0 : 4;
}

static void after_fork(void **state)
{
	struct taskrt_histogram *histogram;
	struct taskrt_snapshot now;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(taskrt_self_mapped(self), 1);
	assert_int_equal(taskrt_histogram_open(&histogram, self), 0);
	child = fork();
	if (!child)
		_exit(in_the_child(histogram));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	fake_now = SINCE + 100;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(taskrt_self_mapped(self), 1);
	assert_int_equal(taskrt_histogram_read(histogram, NULL, 0), 0);
	taskrt_histogram_close(histogram);
}

static void bad_arguments(void **state)
{
	struct taskrt_self *none = self;
	struct taskrt_measured measured;
	struct taskrt_reading reading;

	(void)state;
	assert_int_equal(taskrt_self_open(NULL, 0), -EINVAL);
	assert_int_equal(taskrt_self_open(&none, 2), -EINVAL);
	assert_null(none);
	taskrt_self_close(NULL);
	assert_int_equal(taskrt_self_mapped(NULL), 0);
	assert_int_equal(taskrt_self_alert(NULL, "late"), -EINVAL);
	assert_int_equal(taskrt_self_get(NULL, 0, &reading, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_get(self, 0, NULL, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_get(self, 1u << 31, &reading, sizeof(reading)), -EINVAL);
	assert_int_equal(taskrt_self_measured(NULL, &measured, sizeof(measured)), -EINVAL);
	assert_int_equal(taskrt_self_measured(self, NULL, sizeof(measured)), -EINVAL);
}

/* Where it says CLOCK_MONOTONIC it is, and without the C library's own function. */
static void real_clock(void **state)
{
	struct taskrt_self *own = taskrt_self_new();
	struct timespec before, between, after;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(own->clock(CLOCK_MONOTONIC, &between), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(between.tv_sec > before.tv_sec ||
		    (between.tv_sec == before.tv_sec && between.tv_nsec >= before.tv_nsec));
	assert_true(after.tv_sec > between.tv_sec ||
		    (after.tv_sec == between.tv_sec && after.tv_nsec >= between.tv_nsec));
	taskrt_self_close(own);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(current, start, finish),
		cmocka_unit_test_setup_teardown(clock_behind, start, finish),
		cmocka_unit_test_setup_teardown(in_progress, start, finish),
		cmocka_unit_test_setup_teardown(final, start, finish),
		cmocka_unit_test_setup_teardown(always_changing, start, finish),
		cmocka_unit_test_setup_teardown(changed_after_the_clock, start, finish),
		cmocka_unit_test_setup_teardown(clock_still, start, finish),
		cmocka_unit_test_setup_teardown(time_namespace, start, finish),
		cmocka_unit_test_setup_teardown(after_fork, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test(real_clock),
	};

	return cmocka_run_group_tests_name("self", tests, NULL, NULL);
}
