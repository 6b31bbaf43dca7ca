// SPDX-License-Identifier: GPL-2.0-only
/* Windows, stages, and where the time of a window went. */
#include <errno.h>
#include <stdio.h>

#include "unit.h"
#include "fake_page.h"

#define SINCE	1234000000000ULL
#define MS	1000000ULL
#define OWN	64

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;
static struct taskrt_window w;

/* So many ns after the beginning it is now, for a thread that reads itself. */
static void at(uint64_t ns)
{
	fake_now = SINCE + ns + OWN;
}

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	memset(&w, 0xff, sizeof(w));
	at(0);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

static int explain(struct taskrt_explanation *e)
{
	return taskrt_window_explain(&w, e, sizeof(*e));
}

/* From one instant to another in a state, and running again. */
static void spend(uint32_t state, uint64_t from, uint64_t until)
{
	page_switch(page, state, SINCE + from);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + until);
}

static void one_window(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	spend(TASKRT_STATE_SLEEPING_FUTEX, 1500, 2500);
	page->times.locks_ns[TASKRT_LOCK_MUTEX] += 300;
	page->times.timers_ns[TASKRT_TIMERS_ROOM - 1] += 2;
	at(3000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.status, 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED);
	assert_int_equal(w.elapsed_ns, 2000);
	assert_int_equal(w.begin_ns, SINCE + 1000);
	assert_int_equal(w.end_ns, SINCE + 3000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_RUNNING], 1000);
	assert_int_equal(w.spent.states_ns[TASKRT_STATE_SLEEPING_FUTEX], 1000);
	assert_int_equal(w.spent.locks_ns[TASKRT_LOCK_MUTEX], 300);
	assert_int_equal(w.spent.timers_ns[TASKRT_TIMERS_ROOM - 1], 2);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	/* a longer one */
	at(4000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 3000);
}

static void failed_windows(void **state)
{
	struct taskrt_explanation e;
	static struct taskrt_series s;

	(void)state;
	taskrt_series_init(&s, 1, 1);
	assert_int_equal(taskrt_window_begin(&w, NULL), -EINVAL);
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	page->changes[0] = 1;
	assert_int_equal(taskrt_window_begin(&w, self), -EAGAIN);
	page->changes[0] = 2;
	assert_int_equal(taskrt_window_end(&w), -EINVAL);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(explain(&e), -EINVAL);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
	assert_int_equal(taskrt_series_count(&s), 0);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	page->changes[0] = 3;
	assert_int_equal(taskrt_window_end(&w), -EAGAIN);
	assert_int_equal(explain(&e), -EINVAL);
	page->changes[0] = 4;
	at(1000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(explain(&e), 0);
	/* a longer one that cannot be read is none */
	page->changes[0] = 5;
	assert_int_equal(taskrt_window_end(&w), -EAGAIN);
	assert_int_equal(w.flags, 0);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(explain(&e), -EINVAL);
	page->changes[0] = 6;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(explain(&e), 0);
	/* the next one is not the one before */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(explain(&e), -EINVAL);
	assert_int_equal(taskrt_series_add(&s, &w), -EINVAL);
}

/* Others read further behind the clock than the thread itself. */
static void ended_by_another(void **state)
{
	const void *opener = self->opener;
	struct taskrt_stage stage;

	(void)state;
	at(5000);
	taskrt_stage_init(&stage, "handed on");
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	at(5100);
	self->opener = NULL;
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	assert_int_equal(stage.count, 1);
	assert_int_equal(stage.wall_ns, 0);
	assert_int_equal(stage.longest.ns, 0);
	assert_int_equal(sum_of_states(&stage.spent), 0);
	/* with nothing but the difference missing */
	at(9000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.elapsed_ns, 4000 - (TASKRT_BEHIND_OTHERS_NS - OWN));
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	self->opener = opener;
}

static void window_until_the_end(void **state)
{
	(void)state;
	at(1000);
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(w.flags, 0);
	page_final(page, TASKRT_PAGE_STOPPED, SINCE + 1700);
	at(5000);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED | TASKRT_FINAL);
	assert_int_equal(w.elapsed_ns, 700);
	assert_int_equal(sum_of_states(&w.spent), 700);
	/* and another one, in which there is nothing */
	assert_int_equal(taskrt_window_begin(&w, self), 0);
	assert_int_equal(w.flags, TASKRT_FINAL);
	assert_int_equal(taskrt_window_end(&w), 0);
	assert_int_equal(w.flags, TASKRT_WINDOW_ENDED | TASKRT_FINAL);
	assert_int_equal(w.elapsed_ns, 0);
	assert_int_equal(sum_of_states(&w.spent), 0);
}

static void stages(void **state)
{
	struct taskrt_stage stage, copy;
	char line[160], exact[160];
	int length;

	(void)state;
	taskrt_stage_init(&stage, "mix");
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	at(1 * MS);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	spend(TASKRT_STATE_BLOCKED_LOCK, 2 * MS, 11 * MS);
	page->times.timers_ns[TASKRT_TIMER_LOCK] += 9 * MS;
	page->times.timers_ns[TASKRT_TIMER_FAULT] += 120499;
	at(13345 * 1000);
	assert_int_equal(taskrt_stage_end(&stage), 0);
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(stage.count, 1);
	assert_int_equal(stage.failed, 0);
	assert_int_equal(stage.wall_ns, 12345000);
	assert_int_equal(stage.longest.ns, 12345000);
	assert_int_equal(stage.longest.at_ns, SINCE + 1 * MS);
	length = taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 12.345 ms, cpu 3.345 ms, queue 0.000 ms, "
				  "page fault 0.120 ms, lock 9.000 ms");
	assert_int_equal(length, strlen(line));

	/* again, and as it came from another process */
	at(20 * MS);
	taskrt_stage_begin(&stage, self);
	spend(TASKRT_STATE_PREEMPTED, 20 * MS, 21 * MS);
	spend(TASKRT_STATE_WOKEN, 21 * MS, 22 * MS);
	at(22 * MS);
	taskrt_stage_end(&stage);
	assert_int_equal(stage.count, 2);
	assert_int_equal(stage.wall_ns, 14345000);
	assert_int_equal(stage.longest.ns, 12345000);
	copy = stage;
	strcpy(copy.name, "there");
	copy.failed = 5;
	copy.longest.ns = 99 * MS;
	taskrt_stage_merge(&stage, &copy);
	assert_string_equal(stage.name, "mix");
	assert_int_equal(stage.count, 4);
	assert_int_equal(stage.failed, 5);
	assert_int_equal(stage.longest.ns, 99 * MS);
	taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "mix: wall 28.690 ms, cpu 6.690 ms, queue 4.000 ms, "
				  "page fault 0.241 ms, lock 18.000 ms");

	/* no room */
	memcpy(exact, line, sizeof(line));
	memset(line, 'x', sizeof(line));
	assert_int_equal(taskrt_stage_format(&stage, line, 10), strlen(exact));
	assert_string_equal(line, "mix: wall");
	assert_int_equal(line[10], 'x');
	assert_int_equal(taskrt_stage_format(&stage, NULL, 0), strlen(exact));
	assert_int_equal(taskrt_stage_format(&stage, line, 1), strlen(exact));
	assert_string_equal(line, "");
}

static void failed_stage(void **state)
{
	struct taskrt_stage stage;
	char line[200];

	(void)state;
	taskrt_stage_init(&stage, "without a thread");
	assert_int_equal(taskrt_stage_begin(&stage, NULL), -EINVAL);
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(stage.failed, 1);
	taskrt_stage_init(&stage, "a name that is longer than there is room for");
	assert_int_equal(strlen(stage.name), TASKRT_STAGE_NAME - 1);
	page->changes[1] = 1;
	assert_int_equal(taskrt_stage_begin(&stage, self), -EAGAIN);
	page->changes[1] = 2;
	assert_int_equal(taskrt_stage_end(&stage), -EINVAL);
	assert_int_equal(taskrt_stage_begin(&stage, self), 0);
	page->changes[1] = 3;
	assert_int_equal(taskrt_stage_end(&stage), -EAGAIN);
	assert_int_equal(stage.failed, 2);
	assert_int_equal(stage.count, 0);
	assert_int_equal(stage.wall_ns, 0);
	taskrt_stage_format(&stage, line, sizeof(line));
	assert_string_equal(line, "a name that is longer than ther: wall 0.000 ms, cpu 0.000 ms, "
				  "queue 0.000 ms, page fault 0.000 ms, lock 0.000 ms");
	taskrt_stage_init(&stage, NULL);
	assert_string_equal(stage.name, "");
}

static uint64_t sum_of_shares(const struct taskrt_explanation *e)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		sum += e->shares[i].ns;
	return sum;
}

static void explained(void **state)
{
	struct taskrt_explanation e;
	char line[600];
	int length;

	(void)state;
	at(500 * 1000);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_LOCK, 567891, 567891 + 9870 * 1000);
	spend(TASKRT_STATE_BLOCKED_LOCK, 11 * MS, 11 * MS + 1000);
	spend(TASKRT_STATE_PREEMPTED, 12 * MS, 12 * MS + 230 * 1000);
	page->times.locks_ns[TASKRT_LOCK_RWSEM_WRITE] += 9870 * 1000;
	page->times.locks_ns[TASKRT_LOCK_MUTEX] += 1000;
	at(14602 * 1000);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.elapsed_ns, 14102 * 1000);
	assert_int_equal(sum_of_shares(&e), e.elapsed_ns);
	assert_int_equal(e.nr, 4);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_LOCK);
	assert_int_equal(e.shares[1].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.shares[2].cause, TASKRT_CAUSE_QUEUED);
	assert_int_equal(e.shares[3].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[3].ns, 0);
	assert_int_equal(e.lock, TASKRT_LOCK_RWSEM_WRITE);
	assert_int_equal(e.state, TASKRT_STATE_BLOCKED_LOCK);
	assert_int_equal(e.longest.ns, 9870 * 1000);
	assert_int_equal(e.longest.at_ns, SINCE + 567891);
	length = taskrt_explanation_format(&e, 10 * MS, line, sizeof(line));
	assert_int_equal(length, strlen(line));
	assert_string_equal(line, "late by 4.102 ms of 10.000: kernel lock 9.871 ms (70.0 %, "
				  "rwsem_write, longest 9.870 ms from 1234.000567), "
				  "computing 4.001 ms (28.4 %), queued 0.230 ms (1.6 %), "
				  "unexplained 0.000 ms (0.0 %)");
	taskrt_explanation_format(&e, 20 * MS, line, 40);
	assert_string_equal(line, "in time, 14.102 ms of 20.000: kernel lo");
	taskrt_explanation_format(&e, 0, line, 20);
	assert_string_equal(line, "14.102 ms: kernel l");
	/* the deadline itself is in time */
	taskrt_explanation_format(&e, e.elapsed_ns, line, 30);
	assert_string_equal(line, "in time, 14.102 ms of 14.102:");
}

/* Each state, for most of the window, is told as its cause, with the interval. */
static void every_cause(void **state)
{
	static const uint32_t causes[STATES] = {
		TASKRT_CAUSE_COMPUTING, TASKRT_CAUSE_QUEUED, TASKRT_CAUSE_QUEUED,
		TASKRT_CAUSE_LOCK, TASKRT_CAUSE_FAULT, TASKRT_CAUSE_IO, TASKRT_CAUSE_BLOCKED,
		TASKRT_CAUSE_FUTEX, TASKRT_CAUSE_POLL, TASKRT_CAUSE_TIMER, TASKRT_CAUSE_ASLEEP,
		TASKRT_CAUSE_STOPPED,
	};
	struct taskrt_explanation e;
	uint64_t from = MS;
	uint32_t s;

	(void)state;
	for (s = 0; s < STATES; s++, from += 11 * MS) {
		at(from);
		taskrt_window_begin(&w, self);
		spend(s, from + MS, from + 9 * MS);
		at(from + 10 * MS);
		taskrt_window_end(&w);
		assert_int_equal(explain(&e), 0);
		assert_int_equal(e.shares[0].cause, causes[s]);
		assert_int_equal(e.state, s);
		assert_int_equal(e.longest.ns, 8 * MS);
		assert_int_equal(e.longest.at_ns, SINCE + from + MS);
		assert_int_equal(e.shares[e.nr - 1].cause, TASKRT_CAUSE_UNEXPLAINED);
		assert_int_equal(sum_of_shares(&e), 10 * MS);
	}
}

/* Over netlink the times may be coarse, and what is missing is told. */
static void unexplained(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	at(10 * MS);
	taskrt_window_end(&w);
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 2 * MS;
	w.spent.states_ns[TASKRT_STATE_SLEEPING] = 1;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.nr, 3);
	taskrt_explanation_format(&e, 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: unexplained 8.000 ms (80.0 %), computing 2.000 ms "
				  "(20.0 %), asleep 0.000 ms (0.0 %)");
	/* and never more than elapsed */
	w.spent.states_ns[TASKRT_STATE_RUNNING] = 12 * MS;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(sum_of_shares(&e), 10 * MS);
	assert_int_equal(e.shares[0].ns, 10 * MS);
}

static void longest_inside(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	/* what was before, even if longer, is not in the window; what began before is, in part */
	spend(TASKRT_STATE_SLEEPING_POLL, 1 * MS, 90 * MS);
	at(95 * MS);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_SLEEPING_POLL, 97 * MS, 100 * MS);
	at(103 * MS);
	taskrt_window_end(&w);
	explain(&e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_COMPUTING);
	assert_int_equal(e.longest.ns, 3 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 100 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 104 * MS);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 105 * MS);
	explain(&e);
	assert_int_equal(e.longest.ns, 3 * MS);

	/* a later one that is longer has taken its place */
	at(120 * MS);
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 120 * MS);
	explain(&e);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.longest.ns, 0);
	assert_int_equal(sum_of_shares(&e), 8 * MS);
}

/* Of many in descending order the first is forgotten; not if it is the longest of all. */
static void longest_dropped(void **state)
{
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	taskrt_window_begin(&w, self);
	for (i = 0; i < 2 * TASKRT_PEAKS; i++)
		spend(TASKRT_STATE_STOPPED, i * MS + 1, i * MS + 900000 - i);
	at(2 * TASKRT_PEAKS * MS);
	taskrt_window_end(&w);
	explain(&e);
	assert_int_equal(e.state, TASKRT_STATE_STOPPED);
	assert_int_equal(e.longest.ns, 899999);
	assert_int_equal(e.longest.at_ns, SINCE + 1);
	page_state(page, TASKRT_STATE_STOPPED)->longest =
		(struct taskrt_longest){ .ns = 900500, .at_ns = SINCE - 900500 };
	explain(&e);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_STOPPED);
	assert_int_equal(e.state, TASKRT_NONE);
}

/* The page has no single intervals, or none of that state. */
static void no_intervals(void **state)
{
	struct taskrt_explanation e;

	(void)state;
	page->state_intervals.nr = TASKRT_STATE_STOPPED;
	assert_int_equal(taskrt_self_attach(self, page), 0);
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_SLEEPING, 1 * MS, 9 * MS);
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.state, TASKRT_STATE_SLEEPING);
	page->state_intervals.nr = TASKRT_STATE_SLEEPING;
	assert_int_equal(taskrt_self_attach(self, page), 0);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(e.longest.ns, 0);
}

/* A window of which most was spent in a state that only a later module has. */
static void spend_unknown(uint32_t unknown)
{
	at(MS);
	taskrt_window_begin(&w, self);
	spend(unknown, 2 * MS, 9 * MS);
	spend(TASKRT_STATE_SLEEPING, 9 * MS + 1000, 10 * MS);
	at(11 * MS);
	taskrt_window_end(&w);
}

static void unknown_state(void **state)
{
	struct taskrt_explanation e;
	unsigned int i;

	(void)state;
	finish(NULL);
	page = page_new_of(&page_next, SINCE);
	page->measured.states |= 1u << 12;
	page->parent[12] = TASKRT_STATE_SLEEPING;
	self = fake_self(page);
	spend_unknown(12);
	assert_int_equal(w.elapsed_ns, 10 * MS);
	assert_int_equal(w.spent.states_ns[12], 7 * MS);
	assert_int_equal(sum_of_states(&w.spent), w.elapsed_ns);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1000);
	assert_int_equal(e.state, 12);
	assert_int_equal(e.longest.ns, 7 * MS);
	assert_int_equal(e.longest.at_ns, SINCE + 2 * MS);
	assert_int_equal(sum_of_shares(&e), w.elapsed_ns);

	/* its grandparent is known; the longest way that there can be */
	for (i = 13; i < TASKRT_STATES_ROOM; i++)
		page->parent[i] = i - 1;
	w.spent.states_ns[23] = w.spent.states_ns[12];
	w.spent.states_ns[12] = 0;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_ASLEEP);
	assert_int_equal(e.shares[0].ns, 8 * MS - 1000);

	/* no parent; one another's; none that there can be */
	page->parent[23] = 23;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	assert_int_equal(e.shares[0].ns, 7 * MS);
	assert_int_equal(e.state, TASKRT_NONE);
	assert_int_equal(sum_of_shares(&e), w.elapsed_ns);
	page->parent[23] = 22;
	page->parent[22] = 23;
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
	for (i = TASKRT_STATES_ROOM; i < 256; i++) {
		page->parent[23] = i;
		assert_int_equal(explain(&e), 0);
		assert_int_equal(e.shares[0].cause, TASKRT_CAUSE_UNEXPLAINED);
		assert_int_equal(e.shares[0].ns, 7 * MS);
	}
}

/* A lock of a kind that has no name here. */
static void unknown_lock(void **state)
{
	struct taskrt_explanation e;
	char line[600];

	(void)state;
	taskrt_window_begin(&w, self);
	spend(TASKRT_STATE_BLOCKED_LOCK, 1 * MS, 9 * MS);
	page->times.locks_ns[TASKRT_LOCKS_ROOM - 1] += 8 * MS;
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&e), 0);
	assert_int_equal(e.lock, TASKRT_LOCKS_ROOM - 1);
	taskrt_explanation_format(&e, 0, line, sizeof(line));
	assert_string_equal(line, "10.000 ms: kernel lock 8.000 ms (80.0 %, longest 8.000 ms from "
				  "1234.001000), computing 2.000 ms (20.0 %), "
				  "unexplained 0.000 ms (0.0 %)");
}

/* A program of another day: its structure is shorter, or longer. */
static void sizes(void **state)
{
	static unsigned char bytes[2 * sizeof(struct taskrt_explanation)];
	static unsigned char untouched[sizeof(bytes)], zero[sizeof(bytes)];
	struct taskrt_explanation exact;
	size_t size;

	(void)state;
	memset(untouched, UNKNOWN, sizeof(untouched));
	taskrt_window_begin(&w, self);
	at(10 * MS);
	taskrt_window_end(&w);
	assert_int_equal(explain(&exact), 0);
	assert_int_equal(exact.lock, TASKRT_NONE);
	memcpy(bytes, untouched, sizeof(bytes));
	for (size = 0; size < sizeof(exact); size++)
		assert_int_equal(taskrt_window_explain(&w, (void *)bytes, size), -EINVAL);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	for (; size < sizeof(bytes); size += 8) {
		assert_int_equal(taskrt_window_explain(&w, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &exact, sizeof(exact));
		assert_memory_equal(bytes + sizeof(exact), zero, size - sizeof(exact));
		assert_memory_equal(bytes + size, untouched, sizeof(bytes) - size);
	}
}

/* Nothing is written behind what the caller has. */
static void caller_owned(void **state)
{
	static struct {
		struct taskrt_window window;
		unsigned char behind_window[64];
		struct taskrt_stage stage;
		unsigned char behind_stage[64];
	} owned;
	unsigned char untouched[64];

	(void)state;
	memset(&owned, UNKNOWN, sizeof(owned));
	memset(untouched, UNKNOWN, sizeof(untouched));
	taskrt_stage_init(&owned.stage, "a name that is longer than there is room for");
	assert_int_equal(taskrt_window_begin(&owned.window, self), 0);
	assert_int_equal(taskrt_stage_begin(&owned.stage, self), 0);
	spend(TASKRT_STATE_SLEEPING, 1 * MS, 9 * MS);
	at(10 * MS);
	assert_int_equal(taskrt_stage_end(&owned.stage), 0);
	assert_int_equal(taskrt_window_end(&owned.window), 0);
	assert_memory_equal(owned.behind_window, untouched, sizeof(untouched));
	assert_memory_equal(owned.behind_stage, untouched, sizeof(untouched));
	assert_int_equal(sum_of_states(&owned.stage.spent), owned.stage.wall_ns);
}

static void percent_of_long_times(void **state)
{
	struct taskrt_explanation e = {
		.elapsed_ns = 1ULL << 62, .nr = 2, .state = TASKRT_NONE,
		.shares = { { .ns = 3ULL << 60, .cause = TASKRT_CAUSE_ASLEEP },
			    { .ns = 1ULL << 60, .cause = TASKRT_CAUSE_UNEXPLAINED } },
	};
	char line[600];

	(void)state;
	taskrt_explanation_format(&e, 0, line, sizeof(line));
	assert_non_null(strstr(line, "asleep 3458764513820.541 ms (75.0 %)"));
	memset(&e, 0, sizeof(e));
	assert_int_equal(taskrt_explanation_format(&e, 0, line, sizeof(line)), 8);
	assert_string_equal(line, "0.000 ms");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_window, start, finish),
		cmocka_unit_test_setup_teardown(failed_windows, start, finish),
		cmocka_unit_test_setup_teardown(ended_by_another, start, finish),
		cmocka_unit_test_setup_teardown(window_until_the_end, start, finish),
		cmocka_unit_test_setup_teardown(stages, start, finish),
		cmocka_unit_test_setup_teardown(failed_stage, start, finish),
		cmocka_unit_test_setup_teardown(explained, start, finish),
		cmocka_unit_test_setup_teardown(every_cause, start, finish),
		cmocka_unit_test_setup_teardown(unexplained, start, finish),
		cmocka_unit_test_setup_teardown(longest_inside, start, finish),
		cmocka_unit_test_setup_teardown(longest_dropped, start, finish),
		cmocka_unit_test_setup_teardown(no_intervals, start, finish),
		cmocka_unit_test_setup_teardown(unknown_state, start, finish),
		cmocka_unit_test_setup_teardown(unknown_lock, start, finish),
		cmocka_unit_test_setup_teardown(sizes, start, finish),
		cmocka_unit_test_setup_teardown(caller_owned, start, finish),
		cmocka_unit_test(percent_of_long_times),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
