// SPDX-License-Identifier: GPL-2.0-only
/* The library's reading of INFO, and of answers damaged at random. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt *handle;
static unsigned int hooks;
static unsigned int damage;	/* seed; 0: none */

static void put_hook(struct nl_msg *message, unsigned int i)
{
	struct nlattr *nest = nla_nest_start(message, TASKRT_INFO_A_HOOK);
	char name[64];

	snprintf(name, sizeof(name), "hook_%u", i);
	nla_put_string(message, TASKRT_HOOK_A_NAME, name);
	nla_put_string(message, TASKRT_HOOK_A_KIND, "tracepoint");
	nla_put_s32(message, TASKRT_HOOK_A_STATUS, i ? -(int)i : 0);
	nla_put_u64(message, TASKRT_HOOK_A_HITS, 1000 + i);
	nla_put_u64(message, TASKRT_HOOK_A_MISSES, 2000 + i);
	nla_put_u64(message, TASKRT_HOOK_A_MAX + 1, 1);
	nla_nest_end(message, nest);
}

static struct nl_msg *info_message(void)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);
	unsigned int i;

	nla_put_string(message, TASKRT_INFO_A_MODULE_VERSION, "0.1.0");
	nla_put_u32(message, TASKRT_INFO_A_STATS_VERSION, 3);
	nla_put_u32(message, TASKRT_INFO_A_ENABLED, 1);
	for (i = TASKRT_INFO_A_VALID; i <= TASKRT_INFO_A_MEMORY; i++)
		nla_put_u64(message, i, 100 + i);
	nla_put_u32(message, TASKRT_INFO_A_RECORD_SIZE, 17);
	nla_put_u32(message, TASKRT_INFO_A_PROCESS_SIZE, 18);
	nla_put_u32(message, TASKRT_INFO_A_LISTENERS, 19);
	for (i = TASKRT_INFO_A_EXITS_TOLD; i <= TASKRT_INFO_A_BACKLOG_MAX; i++)
		nla_put_u64(message, i, 100 + i);
	nla_put_u32(message, TASKRT_INFO_A_MAPPED, 20);
	nla_put_u32(message, TASKRT_INFO_A_ARMED, 21);
	nla_put_u64(message, TASKRT_INFO_A_ALERTS, 22);
	nla_put_u64(message, TASKRT_INFO_A_ALERTS_LOST, 23);
	nla_put_u32(message, TASKRT_INFO_A_INITIAL, 24);
	nla_put(message, TASKRT_INFO_A_MAX + 1, 3, "abc");
	for (i = 0; i < hooks; i++)
		put_hook(message, i);
	nla_nest_end(message, nest);
	return message;
}

/* Flip some bytes behind the two headers, lengths of attributes among them. */
static void spoil(struct nl_msg *message)
{
	unsigned char *bytes = genlmsg_data(nlmsg_data(nlmsg_hdr(message)));
	size_t length = nlmsg_hdr(message)->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	int flips = rand_r(&damage) % 8;

	while (flips--)
		bytes[rand_r(&damage) % length] = rand_r(&damage);
	if (rand_r(&damage) % 4 == 0)
		nlmsg_hdr(message)->nlmsg_len -= rand_r(&damage) % length;
}

static void answer(struct nlmsghdr *request)
{
	struct nl_msg *message = info_message();

	if (damage)
		spoil(message);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void answer_wrong_size(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);

	nla_put_u32(message, TASKRT_INFO_A_THREADS, 1);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static void answer_long_string(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_INFO);
	char text[100];

	memset(text, 'x', sizeof(text));
	nla_put(message, TASKRT_INFO_A_MODULE_VERSION, sizeof(text), text);
	nla_nest_end(message, nest);
	fake_send(message);
	fake_verdict(request, 0, NULL, true);
}

static int start(void **state)
{
	(void)state;
	fake_reset(answer);
	hooks = 9;
	damage = 0;
	return taskrt_open(&handle);
}

static int finish(void **state)
{
	(void)state;
	taskrt_close(handle);
	fake_reset(NULL);
	return 0;
}

static void every_field(void **state)
{
	struct taskrt_info info;

	(void)state;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_string_equal(info.module_version, "0.1.0");
	assert_int_equal(info.stats_version, 3);
	assert_int_equal(info.enabled, 1);
	assert_int_equal(info.valid, 100 + TASKRT_INFO_A_VALID);
	assert_int_equal(info.coarse_ns, 100 + TASKRT_INFO_A_COARSE_NS);
	assert_int_equal(info.enabled_since_ns, 100 + TASKRT_INFO_A_ENABLED_SINCE);
	assert_int_equal(info.threads_max, 100 + TASKRT_INFO_A_THREADS_MAX);
	assert_int_equal(info.threads_made, 100 + TASKRT_INFO_A_THREADS_MADE);
	assert_int_equal(info.threads_gone, 100 + TASKRT_INFO_A_THREADS_GONE);
	assert_int_equal(info.threads, 100 + TASKRT_INFO_A_THREADS);
	assert_int_equal(info.processes, 100 + TASKRT_INFO_A_PROCESSES);
	assert_int_equal(info.refused, 100 + TASKRT_INFO_A_REFUSED);
	assert_int_equal(info.no_memory, 100 + TASKRT_INFO_A_NO_MEMORY);
	assert_int_equal(info.repaired, 100 + TASKRT_INFO_A_REPAIRED);
	assert_int_equal(info.memory_bytes, 100 + TASKRT_INFO_A_MEMORY);
	assert_int_equal(info.record_size, 17);
	assert_int_equal(info.process_size, 18);
	assert_int_equal(info.listeners, 19);
	assert_int_equal(info.exits_told, 100 + TASKRT_INFO_A_EXITS_TOLD);
	assert_int_equal(info.exits_lost, 100 + TASKRT_INFO_A_EXITS_LOST);
	assert_int_equal(info.backlog_bytes, 100 + TASKRT_INFO_A_BACKLOG);
	assert_int_equal(info.backlog_max_bytes, 100 + TASKRT_INFO_A_BACKLOG_MAX);
	assert_int_equal(info.mapped, 20);
	assert_int_equal(info.armed, 21);
	assert_int_equal(info.alerts, 22);
	assert_int_equal(info.alerts_lost, 23);
	assert_int_equal(info.initial, 24);
	assert_int_equal(info.nr_hooks, 9);
	assert_string_equal(info.hooks[8].name, "hook_8");
	assert_string_equal(info.hooks[8].kind, "tracepoint");
	assert_int_equal(info.hooks[0].status, 0);
	assert_int_equal(info.hooks[8].status, -8);
	assert_int_equal(info.hooks[8].hits, 1008);
	assert_int_equal(info.hooks[8].misses, 2008);
	assert_string_equal(info.hooks[9].name, "");
}

static void too_many_hooks(void **state)
{
	struct taskrt_info info;

	(void)state;
	hooks = TASKRT_HOOKS_MAX + 8;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_int_equal(info.nr_hooks, TASKRT_HOOKS_MAX);
	assert_string_equal(info.hooks[TASKRT_HOOKS_MAX - 1].name, "hook_31");
}

/* A structure of another length, in memory of just that length. */
static void other_sizes(void **state)
{
	const size_t least = offsetof(struct taskrt_info, hooks);
	const size_t full = sizeof(struct taskrt_info);
	const size_t first = offsetof(struct taskrt_info, listeners);	/* release 0.1 */
	const size_t second = offsetof(struct taskrt_info, mapped);	/* 0.2 */
	const size_t sizes[] = { least, least + 72, least + 2 * 72 - 1, first, second, full,
				 full + 99 };
	const uint32_t counts[] = { 0, 1, 1, 9, 9, 9, 9 };
	size_t i;

	(void)state;
	assert_int_equal(sizeof(struct taskrt_hook), 72);
	assert_int_equal(first, 2456);
	assert_int_equal(second, 2496);
	for (i = 0; i < 7; i++) {
		struct taskrt_info *info = malloc(sizes[i]);

		memset(info, 0xff, sizes[i]);
		assert_int_equal(taskrt_get_info(handle, info, sizes[i]), 0);
		assert_int_equal(info->nr_hooks, counts[i]);
		assert_int_equal(info->process_size, 18);
		if (sizes[i] > full)
			assert_int_equal(((char *)info)[sizes[i] - 1], 0);
		free(info);
	}
}

static void bad_arguments(void **state)
{
	struct taskrt_info info;

	(void)state;
	assert_int_equal(taskrt_get_info(handle, NULL, sizeof(info)), -EINVAL);
	assert_int_equal(taskrt_get_info(NULL, &info, sizeof(info)), -EINVAL);
	assert_int_equal(taskrt_get_info(handle, &info,
					 offsetof(struct taskrt_info, hooks) - 1), -EINVAL);
	assert_int_equal(fake.requests, 0);
}

static void bad_answers(void **state)
{
	struct taskrt_info info = { .threads = 5 };

	(void)state;
	fake.answer = answer_wrong_size;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), -EBADMSG);
	assert_int_equal(info.threads, 5);
	fake.answer = answer_long_string;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_int_equal(strlen(info.module_version), sizeof(info.module_version) - 1);
}

static void gone(void **state)
{
	struct taskrt_info info;

	(void)state;
	fake.family = 0;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), -ENODEV);
	fake.family = 50;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
}

/* It may say anything, but not crash, hang or hand over an unended string. */
static void damaged(void **state)
{
	unsigned int i, good = 0, bad = 0;

	(void)state;
	for (i = 1; i <= 20000; i++) {
		struct taskrt_info info = { 0 };

		damage = i;
		if (taskrt_get_info(handle, &info, sizeof(info))) {
			bad++;
			continue;
		}
		good++;
		assert_true(info.nr_hooks <= TASKRT_HOOKS_MAX);
		assert_non_null(memchr(info.module_version, 0, sizeof(info.module_version)));
		assert_non_null(memchr(info.hooks[0].name, 0, sizeof(info.hooks[0].name)));
	}
	assert_true(good > 100 && bad > 100);
	damage = 0;
	struct taskrt_info info;

	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_field, start, finish),
		cmocka_unit_test_setup_teardown(too_many_hooks, start, finish),
		cmocka_unit_test_setup_teardown(other_sizes, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test_setup_teardown(bad_answers, start, finish),
		cmocka_unit_test_setup_teardown(gone, start, finish),
		cmocka_unit_test_setup_teardown(damaged, start, finish),
	};

	return cmocka_run_group_tests_name("info", tests, NULL, NULL);
}
