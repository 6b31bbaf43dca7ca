// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork(2) of any thread of the process: a real-time thread that goes on takes no page
 * fault in the library's memory, and in the child everything is refused and can be closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <netlink/attr.h>

#include "unit.h"
#include "fake_kernel.h"
#include "fake_page.h"
#include "self/deadline.h"
#include "memory.h"
#define TASKRT_EXPERIMENTAL
#include "taskrt_experimental.h"

#define SINCE	1234000000000ULL
#define MS	1000000ULL
#define FORKS	5

uint64_t fake_now;

static struct taskrt_page *page;
static uint64_t passed;		/* since SINCE */

/* All that a real-time thread writes: a handle, a deadline and a histogram. */
struct objects {
	struct taskrt_deadline *d;
	struct taskrt_histogram *h;
};

static struct objects warm, cold;

/* The address sanitizer of gcc 13 and later gives each call a new stack, which faults. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_stack_use_after_return=0";
}

static void make(struct objects *of)
{
	of->d = taskrt_deadline_new(fake_self(page), 10 * MS);
	assert_non_null(of->d);
	assert_int_equal(taskrt_histogram_open(&of->h, taskrt_deadline_self(of->d)), 0);
}

static void drop(struct objects *of)
{
	taskrt_histogram_close(of->h);
	taskrt_deadline_close(of->d);
}

static int start(void **state)
{
	(void)state;
	page = page_new(SINCE);
	passed = 0;
	fake_now = SINCE + TASKRT_BEHIND_OWN_NS;
	make(&warm);
	make(&cold);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	drop(&warm);
	drop(&cold);
	free(page);
	return 0;
}

static int cycle(struct taskrt_deadline *d, uint64_t ns)
{
	int err = taskrt_deadline_begin(d);

	page_switch(page, TASKRT_STATE_BLOCKED_LOCK, SINCE + passed);
	passed += ns;
	page_switch(page, TASKRT_STATE_RUNNING, SINCE + passed);
	fake_now = SINCE + passed + TASKRT_BEHIND_OWN_NS;
	return err ? err : taskrt_deadline_end(d);
}

/* Return: the page faults of this thread while it is in time, late, and reads. */
static long faults_of(const struct objects *of)
{
	struct taskrt_distribution distribution;
	struct rusage before, after;
	char line[600];
	int i, wrong;

	getrusage(RUSAGE_THREAD, &before);
	wrong = cycle(of->d, 3 * MS) != 0;
	/* Each explanation of the queue is written, and so each page of it. */
	for (i = 0; i < 64; i++)
		wrong += cycle(of->d, 12 * MS) != 1;
	wrong += taskrt_deadline_next(of->d, line, sizeof(line), 0) != 1;
	wrong += taskrt_histogram_read(of->h, NULL, 0) != 0;
	wrong += taskrt_histogram_state(of->h, TASKRT_STATE_BLOCKED_LOCK, &distribution,
					sizeof(distribution)) != 0;
	getrusage(RUSAGE_THREAD, &after);
	assert_int_equal(wrong, 0);
	while (taskrt_deadline_next(of->d, line, sizeof(line), 0) == 1)
		;
	return after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
}

/* A child that lives until the caller closes *hold. */
static pid_t fork_child(int *hold)
{
	int ends[2];
	pid_t child;
	char byte;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	close(ends[0]);
	*hold = ends[1];
	return child;
}

static void expect_success(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/*
 * The caller's stack and the test's own data are copied as well, which the first objects
 * take the faults of.  The kernel may have other reasons for a fault, but not each time.
 */
static void no_fault(void **state)
{
	long faults = 1;
	int i, hold;
	pid_t child;

	(void)state;
	faults_of(&warm);
	for (i = 0; i < FORKS && faults; i++) {
		child = fork_child(&hold);
		assert_true(faults_of(&warm) > 0);
		faults = faults_of(&cold);
		close(hold);
		expect_success(child);
	}
	assert_int_equal(faults, 0);
}

static int in_the_child(const struct objects *of, const struct taskrt_self *self)
{
	struct taskrt_distribution distribution;
	char line[600];

	if (taskrt_deadline_begin(of->d) != -ECHILD ||
	    taskrt_deadline_begin_due(of->d, 0) != -ECHILD ||
	    taskrt_deadline_end(of->d) != -ECHILD ||
	    taskrt_deadline_next(of->d, line, sizeof(line), 0) != -ECHILD)
		return 1;
	if (taskrt_histogram_read(of->h, NULL, 0) != -ECHILD ||
	    taskrt_histogram_state(of->h, TASKRT_STATE_RUNNING, &distribution,
				   sizeof(distribution)) != -ECHILD ||
	    taskrt_histogram_timer(of->h, TASKRT_TIMER_FAULT, &distribution,
				   sizeof(distribution)) != -ECHILD)
		return 2;
	if (taskrt_deadline_self(of->d) != self || taskrt_self_mapped(self))
		return 3;
	return 0;
}

/* Return: is a page mapped at this address? */
static int is_mapped(const void *at)
{
	return !msync((void *)((uintptr_t)at & -(uintptr_t)sysconf(_SC_PAGESIZE)), 1, MS_ASYNC);
}

/* Return: how many pages of these objects are mapped, of those at their ends that are known. */
static int pages_of(const struct objects *of, const struct taskrt_self *self)
{
	return is_mapped(of->d) + is_mapped(taskrt_memory_kept(of->d)) +
	       is_mapped(of->h) + is_mapped(taskrt_memory_kept(of->h)) +
	       is_mapped(self) + is_mapped(taskrt_memory_kept(self));
}

static void in_child(void **state)
{
	const struct taskrt_self *self = taskrt_deadline_self(cold.d);
	pid_t child;
	int err;

	(void)state;
	/* A cycle is in progress, and an explanation in the queue. */
	assert_int_equal(cycle(cold.d, 12 * MS), 1);
	assert_int_equal(taskrt_deadline_begin(cold.d), 0);
	child = fork();
	if (!child) {
		err = in_the_child(&cold, self);
		if (!err && pages_of(&cold, self) != 6)
			err = 4;
		taskrt_deadline_stop(cold.d);
		drop(&cold);
		if (!err && pages_of(&cold, self))
			err = 5;
		_exit(err);
	}
	expect_success(child);
	/* The parent's is as it was. */
	assert_int_equal(taskrt_deadline_end(cold.d), 0);
	assert_int_equal(taskrt_histogram_read(cold.h, NULL, 0), 0);
}

/* Any size, of which nothing is lost at either end. */
static void sizes(void **state)
{
	const size_t page_bytes = sysconf(_SC_PAGESIZE);
	const size_t of[] = { 1, page_bytes - 1, page_bytes, page_bytes + 1, 3 * page_bytes };
	unsigned char *memory, *kept;
	unsigned int i;
	size_t n;

	(void)state;
	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		memory = taskrt_memory_new(of[i]);
		assert_non_null(memory);
		kept = taskrt_memory_kept(memory);
		for (n = 0; n < of[i]; n++)
			assert_int_equal(memory[n], 0);
		memset(memory, UNKNOWN, of[i]);
		memset(kept, UNKNOWN, TASKRT_MEMORY_KEPT);
		taskrt_memory_free(memory);
		assert_false(is_mapped(memory));
		assert_false(is_mapped(memory + of[i] - 1));
		assert_false(is_mapped(kept));
	}
	taskrt_memory_free(NULL);
}

static void tell_info(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);

	nla_put_u32(message, TASKRT_INFO_A_INITIAL, TASKRT_INITIAL_NET);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, false);
}

struct handles {
	struct taskrt *queries;
	struct taskrt_exits *exits;
	struct taskrt_alerts *alerts;
};

/* Nothing reaches the sockets, which are those of the parent.  Return: how much is wrong. */
static int refused_in_child(struct handles *of)
{
	const unsigned int requests = fake.requests;
	struct taskrt_exits_status status;
	struct taskrt_reading reading;
	struct taskrt_alert alert;
	struct taskrt_info info;
	struct taskrt_exit exit;
	size_t got;
	int wrong;

	wrong = taskrt_get(of->queries, TASKRT_ENTITY_THREAD, 0, 0, &reading,
			   sizeof(reading)) != -ECHILD;
	wrong += strcmp(taskrt_error(of->queries), "another process has opened it") != 0;
	wrong += taskrt_get_info(of->queries, &info, sizeof(info)) != -ECHILD;
	wrong += taskrt_recorder_disarm(of->queries, 0) != -ECHILD;
	wrong += taskrt_exits_register(of->exits, NULL, NULL, 0, NULL, 0) != -ECHILD;
	wrong += taskrt_exits_deregister(of->exits, NULL, NULL, 0) != -ECHILD;
	wrong += taskrt_exits_get_status(of->exits, &status, sizeof(status)) != -ECHILD;
	wrong += taskrt_exits_set_buffer(of->exits, 4096, &got) != -ECHILD;
	wrong += taskrt_exits_next(of->exits, -1, &exit, sizeof(exit)) != -ECHILD;
	wrong += taskrt_alerts_next(of->alerts, -1, &alert, sizeof(alert)) != -ECHILD;
	return wrong + (fake.requests != requests);
}

static void close_handles(struct handles *of)
{
	taskrt_close(of->queries);
	taskrt_exits_close(of->exits);
	taskrt_alerts_close(of->alerts);
}

/* A child has its own handles, and the parent goes on with those that it has. */
static void netlink_in_child(void **state)
{
	struct handles of;
	struct taskrt_info info;
	struct taskrt *own;
	int status, wrong;
	pid_t child;

	(void)state;
	fake_reset(tell_info);
	assert_int_equal(taskrt_open(&of.queries), 0);
	assert_int_equal(taskrt_exits_open(&of.exits), 0);
	assert_int_equal(taskrt_alerts_open(&of.alerts), 0);
	child = fork();
	if (!child) {
		wrong = refused_in_child(&of);
		close_handles(&of);
		wrong += taskrt_open(&own) || taskrt_get_info(own, &info, sizeof(info));
		taskrt_close(own);
		_exit(wrong);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(taskrt_get_info(of.queries, &info, sizeof(info)), 0);
	close_handles(&of);
	fake_reset(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_fault, start, finish),
		cmocka_unit_test_setup_teardown(in_child, start, finish),
		cmocka_unit_test(sizes),
		cmocka_unit_test(netlink_in_child),
	};

	return cmocka_run_group_tests_name("forked", tests, NULL, NULL);
}
