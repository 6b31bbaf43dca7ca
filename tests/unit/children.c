// SPDX-License-Identifier: GPL-2.0-only
/* The totals of the children stand beside those of the process, and are not mixed with them. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt *handle;

static void put_aggregate(struct nl_msg *message, int attr)
{
	struct taskrt_stats stats = {
		.version = 1, .size = 32, .valid = ~0ULL, .cpu_time_ns = 1000 + attr,
	};
	struct nlattr *nest = nla_nest_start(message, attr);

	nla_put_u32(message, TASKRT_AGGR_A_TGID, 5);
	nla_put(message, TASKRT_AGGR_A_STATS, 32, &stats);
	nla_nest_end(message, nest);
}

static void answer_process(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	put_aggregate(message, TASKRT_A_AGGR_TGID);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void answer_children(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	put_aggregate(message, TASKRT_A_AGGR_TGID);
	put_aggregate(message, TASKRT_A_AGGR_CHILDREN);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static unsigned int pending_answers;

static void put_children(struct nl_msg *message, uint32_t flags)
{
	struct taskrt_stats stats = {
		.version = 3, .size = TASKRT_STATS_SIZE_V3, .valid = ~0ULL, .flags = flags,
		.cpu_time_ns = fake.requests,
	};
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_CHILDREN);

	nla_put_u32(message, TASKRT_AGGR_A_TGID, 5);
	nla_put(message, TASKRT_AGGR_A_STATS, TASKRT_STATS_SIZE_V3, &stats);
	nla_nest_end(message, nest);
}

/* The first answers are not final. */
static void answer_pending(struct nlmsghdr *request)
{
	bool pending = fake.requests <= pending_answers;
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	put_aggregate(message, TASKRT_A_AGGR_TGID);
	put_children(message, pending ? TASKRT_FLAG_PENDING : 0);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static int get(uint32_t entity, pid_t id, struct taskrt_reading *now)
{
	return taskrt_get(handle, entity, id, 0, now, sizeof(*now));
}

static void children(void **state)
{
	struct taskrt_reading now;

	(void)state;
	fake_reset(answer_children);
	assert_int_equal(taskrt_open(&handle), 0);
	assert_int_equal(get(TASKRT_ENTITY_PROCESS, 5, &now), 0);
	assert_int_equal(now.stats.cpu_time_ns, 1000 + TASKRT_A_AGGR_TGID);
	assert_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_CHILDREN));

	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, 5, &now), 0);
	assert_int_equal(now.stats.cpu_time_ns, 1000 + TASKRT_A_AGGR_CHILDREN);
	assert_int_equal(fake_asked(TASKRT_A_TGID), 5);
	assert_non_null(nlmsg_find_attr(fake.last, GENL_HDRLEN, TASKRT_A_CHILDREN));

	/* a module that answers without them */
	fake.answer = answer_process;
	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, 5, &now), -EBADMSG);
	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, -1, &now), -EINVAL);
	taskrt_close(handle);
	fake_reset(NULL);
}

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

static void get_pending(unsigned int answers, struct taskrt_reading *now)
{
	fake_reset(answer_pending);
	pending_answers = answers;
	assert_int_equal(taskrt_open(&handle), 0);
	fake.requests = 0;
	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, 5, now), 0);
	taskrt_close(handle);
}

/* The module never waits, so the library asks until the answer is final. */
static void pending(void **state)
{
	struct taskrt_reading now;
	uint64_t begin;

	(void)state;
	get_pending(0, &now);
	assert_int_equal(fake.requests, 1);
	get_pending(4, &now);
	assert_int_equal(fake.requests, 5);
	assert_int_equal(now.stats.cpu_time_ns, 5);
	assert_int_equal(now.stats.flags, 0);

	/* not for ever: pauses of 1, 2, 4 ... 512 ms */
	begin = now_ms();
	get_pending(~0U, &now);
	assert_int_equal(fake.requests, 11);
	assert_int_equal(now.stats.cpu_time_ns, 11);
	assert_int_equal(now.stats.flags, TASKRT_FLAG_PENDING);
	assert_true(now_ms() - begin >= 1022);
	fake_reset(NULL);
}

/* A signal neither ends the call nor makes its pauses shorter. */
static void pending_amid_signals(void **state)
{
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_signal };
	struct taskrt_reading now;
	uint64_t begin = now_ms();

	(void)state;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	get_pending(~0U, &now);
	setitimer(ITIMER_REAL, &never, NULL);
	assert_true(signals > 0);
	assert_int_equal(fake.requests, 11);
	assert_int_equal(now.stats.flags, TASKRT_FLAG_PENDING);
	assert_true(now_ms() - begin >= 1022);
	fake_reset(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(children), cmocka_unit_test(pending),
		cmocka_unit_test(pending_amid_signals),
	};

	return cmocka_run_group_tests_name("children", tests, NULL, NULL);
}
