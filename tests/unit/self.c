// SPDX-License-Identifier: GPL-2.0-only
/* Reading a page: what is added to it, when nothing is, and in whose child. */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "fake_page.h"

#define SINCE	1000000000ULL

uint64_t fake_now;

static struct taskrt_page *page;
static struct taskrt_self *self;

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	self = fake_self(page);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	taskrt_self_close(self);
	free(page);
	return 0;
}

/* Another thread than the one that opened it reads. */
static void *read_there(void *now)
{
	return (void *)(intptr_t)taskrt_self_read(self, now);
}

static int read_elsewhere(struct taskrt_snapshot *now)
{
	pthread_t thread;
	void *status;

	assert_int_equal(pthread_create(&thread, NULL, read_there, now), 0);
	assert_int_equal(pthread_join(thread, &status), 0);
	return (intptr_t)status;
}

static void current(void **state)
{
	struct taskrt_snapshot now;
	int i;

	(void)state;
	page_switch(page, TASKRT_STATE_SLEEPING_POLL, SINCE + 300);
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 1000);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 1100);
	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		page->totals.lock_time_ns[i] = 100 + i;
		page->totals.lock_count[i] = 200 + i;
	}
	page->totals.major_faults = 77;
	fake_now = SINCE + 5064;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(now.valid, page->valid);
	assert_int_equal(now.totals.states_ns[TASKRT_STATE_RUNNING], 300 + 3900);
	assert_int_equal(now.totals.states_ns[TASKRT_STATE_WOKEN], 100);
	assert_int_equal(now.totals.states_ns[TASKRT_STATE_SLEEPING_POLL], 700);
	assert_int_equal(sum_of_states(&now.totals), now.at_ns - SINCE);
	now.totals.states_ns[TASKRT_STATE_RUNNING] -= 3900;
	assert_memory_equal(&now.totals, &page->totals, sizeof(now.totals));

	fake_now = SINCE + 6000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 5000);
	assert_int_equal(sum_of_states(&now.totals), now.at_ns - SINCE);
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
	assert_int_equal(sum_of_states(&now.totals), 400);
	page_switch(page, TASKRT_STATE_SLEEPING, SINCE + 500);
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 500);
	assert_int_equal(sum_of_states(&now.totals), 500);
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
		assert_int_equal(sum_of_states(&now.totals), now.at_ns - SINCE);
		fake_now -= 10;
	}
	page->changes[0]++;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	page->changes[0]++;
	page->in_progress = TASKRT_IN_FAULT;
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
	page->totals.page_fault_time_ns = 10;
	page->totals.lock_contention_time_ns = 20;
	page->totals.lock_time_ns[TASKRT_LOCK_RWSEM_WRITE] = 20;
	page->in_progress = TASKRT_IN_FAULT | TASKRT_IN_LOCK;
	page->fault_since_ns = SINCE + 1000;
	page->lock_since_ns = SINCE + 1200;
	page->lock = TASKRT_LOCK_RWSEM_WRITE;
	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + 1500);
	fake_now = SINCE + 3000;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.at_ns, SINCE + 2000);
	assert_int_equal(now.totals.states_ns[TASKRT_STATE_BLOCKED_LOCK], 500);
	assert_int_equal(now.totals.page_fault_time_ns, 10 + 1000);
	assert_int_equal(now.totals.lock_contention_time_ns, 20 + 800);
	assert_int_equal(now.totals.lock_time_ns[TASKRT_LOCK_RWSEM_WRITE], 20 + 800);
	assert_int_equal(sum_of_states(&now.totals), 2000);

	/* one that began after now has not begun */
	page->fault_since_ns = page->lock_since_ns = SINCE + 2500;
	assert_int_equal(read_elsewhere(&now), 0);
	assert_int_equal(now.totals.page_fault_time_ns, 10);
	assert_int_equal(now.totals.lock_contention_time_ns, 20);

	/* the thread itself is in none that it could be asked in, but the page decides */
	page->in_progress = TASKRT_IN_FAULT;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 2600);
	fake_now = SINCE + 2764;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(now.totals.page_fault_time_ns, 10 + 200);
	assert_int_equal(now.totals.lock_contention_time_ns, 20);
}

static void stopped(void **state)
{
	static const uint32_t stops[] = {
		TASKRT_PAGE_ENDED, TASKRT_PAGE_STOPPED, TASKRT_PAGE_REVOKED, 99,
	};
	struct taskrt_snapshot now;
	unsigned int i;

	(void)state;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 700);
	fake_now = SINCE + 1000000;
	for (i = 0; i < 4; i++) {
		page->status = stops[i];
		page->state = i ? TASKRT_STATE_RUNNING : TASKRT_STATE_EXITED;
		assert_int_equal(taskrt_self_read(self, &now), TASKRT_SELF_STOPPED);
		assert_int_equal(now.at_ns, SINCE + 700);
		assert_memory_equal(&now.totals, &page->totals, sizeof(now.totals));
		assert_int_equal(read_elsewhere(&now), TASKRT_SELF_STOPPED);
		assert_int_equal(now.at_ns, SINCE + 700);
	}
}

/* Whoever writes it stays in the middle: it is given up, not waited for. */
static void always_changing(void **state)
{
	struct taskrt_snapshot now;
	struct taskrt_stats stats;
	static struct taskrt_look look;
	static struct taskrt_history since;

	(void)state;
	page->changes[0] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(read_elsewhere(&now), -EAGAIN);
	page->changes[0] = 2;
	page->changes[1] = 1;
	assert_int_equal(taskrt_self_read(self, &now), -EAGAIN);
	assert_int_equal(taskrt_self_stats(self, &stats, sizeof(stats)), -EAGAIN);
	assert_int_equal(taskrt_history(self, &look, &since), -EAGAIN);
	page->changes[1] = 2;
	assert_int_equal(taskrt_self_read(self, &now), 0);
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
	assert_int_equal(sum_of_states(&now.totals), 6000);
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
	page->version = TASKRT_PAGE_VERSION + 1;
	page->size = sizeof(*page) + 64;
	assert_int_equal(taskrt_self_attach(self, page), 0);
}

static void stats_of_it(void **state)
{
	struct taskrt_stats stats, shorter;

	(void)state;
	page->cpu_before_ns = 40;
	page->queue_before_ns = 50;
	page->flags = TASKRT_FLAG_LATE;
	page->ppid = 9;
	page->uid = 1000;
	page->gid = 1001;
	strcpy(page->comm, "mixer");
	page_switch(page, TASKRT_STATE_PREEMPTED, SINCE + 100);
	page_switch(page, TASKRT_STATE_WOKEN, SINCE + 120);
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + 150);
	page->totals.wakeups = 3;
	page->longest[TASKRT_TIMER_LOCK] = (struct taskrt_longest){ .ns = 33, .at_ns = SINCE + 44 };
	fake_now = SINCE + 1064;
	assert_int_equal(taskrt_self_stats(self, &stats, sizeof(stats)), 0);
	assert_int_equal(stats.version, TASKRT_STATS_VERSION);
	assert_int_equal(stats.valid, page->valid);
	assert_int_equal(stats.sample_time_ns, SINCE + 1000);
	assert_int_equal(stats.tracked_since_ns, SINCE);
	assert_int_equal(stats.tracked_time_ns, 1000);
	assert_int_equal(stats.cpu_time_ns, 40 + 100 + 850);
	assert_int_equal(stats.queue_time_ns, 50 + 50);
	assert_int_equal(stats.start_time_ns, 5);
	assert_int_equal(stats.tid, 11);
	assert_int_equal(stats.tgid, 10);
	assert_int_equal(stats.ppid, 9);
	assert_int_equal(stats.uid, 1000);
	assert_int_equal(stats.gid, 1001);
	assert_string_equal(stats.comm, "mixer");
	assert_int_equal(stats.state, TASKRT_STATE_RUNNING);
	assert_int_equal(stats.flags, TASKRT_FLAG_LATE);
	assert_int_equal(stats.wakeups, 3);
	assert_int_equal(stats.longest_state[TASKRT_STATE_RUNNING].ns, 850);
	assert_int_equal(stats.longest_state[TASKRT_STATE_RUNNING].at_ns, SINCE + 150);
	assert_int_equal(stats.longest_state[TASKRT_STATE_WOKEN].ns, 30);
	assert_int_equal(stats.longest_lock.ns, 33);
	assert_int_equal(stats.longest_lock.at_ns, SINCE + 44);
	assert_int_equal(stats.longest_fault.ns, 0);

	memset(&shorter, 0xff, sizeof(shorter));
	assert_int_equal(taskrt_self_stats(self, &shorter, TASKRT_STATS_SIZE_V2), 0);
	assert_int_equal(shorter.version, 2);
	assert_int_equal(shorter.cpu_time_ns, stats.cpu_time_ns);
	assert_int_equal(taskrt_self_stats(self, &shorter, TASKRT_STATS_SIZE_V1 - 1), -EINVAL);

	page->status = TASKRT_PAGE_ENDED;
	page->state = TASKRT_STATE_EXITED;
	assert_int_equal(taskrt_self_stats(self, &stats, sizeof(stats)), TASKRT_SELF_STOPPED);
	assert_int_equal(stats.state, TASKRT_STATE_EXITED);
	assert_int_equal(stats.flags, TASKRT_FLAG_LATE | TASKRT_FLAG_EXITED);
	assert_int_equal(stats.sample_time_ns, SINCE + 150);
	assert_int_equal(stats.longest_state[TASKRT_STATE_RUNNING].ns, 100);
}

static int in_the_child(void)
{
	static struct taskrt_look look;
	static struct taskrt_history since;
	struct taskrt_snapshot now;
	struct taskrt_stats stats;
	struct taskrt_window w;

	if (taskrt_self_mapped(self) || taskrt_self_read(self, &now) != -ECHILD)
		return 1;
	if (taskrt_self_stats(self, &stats, sizeof(stats)) != -ECHILD ||
	    taskrt_history(self, &look, &since) != -ECHILD ||
	    taskrt_self_alert(self, "late") != -ECHILD)
		return 2;
	if (taskrt_window_begin(&w, self) != -ECHILD || taskrt_window_end(&w) != -EINVAL)
		return 3;
	taskrt_self_close(self);
	/* what is at the page's address now is not ours to take away */
	return page->version == TASKRT_PAGE_VERSION ? 0 : 4;
}

static void after_fork(void **state)
{
	struct taskrt_snapshot now;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(taskrt_self_mapped(self), 1);
	child = fork();
	if (!child)
		_exit(in_the_child());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	fake_now = SINCE + 100;
	assert_int_equal(taskrt_self_read(self, &now), 0);
	assert_int_equal(taskrt_self_mapped(self), 1);
}

static void bad_arguments(void **state)
{
	struct taskrt_self *none = self;

	(void)state;
	assert_int_equal(taskrt_self_open(NULL, 0), -EINVAL);
	assert_int_equal(taskrt_self_open(&none, 2), -EINVAL);
	assert_null(none);
	taskrt_self_close(NULL);
	assert_int_equal(taskrt_self_mapped(NULL), 0);
	assert_int_equal(taskrt_self_alert(NULL, "late"), -EINVAL);
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
		cmocka_unit_test_setup_teardown(stopped, start, finish),
		cmocka_unit_test_setup_teardown(always_changing, start, finish),
		cmocka_unit_test_setup_teardown(changed_after_the_clock, start, finish),
		cmocka_unit_test_setup_teardown(clock_still, start, finish),
		cmocka_unit_test_setup_teardown(time_namespace, start, finish),
		cmocka_unit_test_setup_teardown(versions, start, finish),
		cmocka_unit_test_setup_teardown(stats_of_it, start, finish),
		cmocka_unit_test_setup_teardown(after_fork, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test(real_clock),
	};

	return cmocka_run_group_tests_name("self", tests, NULL, NULL);
}
