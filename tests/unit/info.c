// SPDX-License-Identifier: GPL-2.0-only
/* The library's parser of INFO, and answers damaged at random. */
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
static struct { struct taskrt_measured known; uint64_t more; } measured = {
	.known = { .states = 0x2fff, .timers = 3, .locks = 31, .values = 1ULL << 24 | 127 },
	.more = 1,
};
static size_t measured_size;
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

static void put_name(struct nl_msg *message, int attribute, uint32_t number, const char *name,
		     int parent)
{
	struct nlattr *nest = nla_nest_start(message, attribute);

	nla_put_u64(message, TASKRT_NAME_A_MAX + 1, 1);
	nla_put_u32(message, TASKRT_NAME_A_NUMBER, number);
	nla_put_string(message, TASKRT_NAME_A_NAME, name);
	if (parent >= 0)
		nla_put_u32(message, TASKRT_NAME_A_PARENT, parent);
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
	for (i = TASKRT_INFO_A_EXITS_DELIVERED; i <= TASKRT_INFO_A_BACKLOG_MAX; i++)
		nla_put_u64(message, i, 100 + i);
	nla_put_u32(message, TASKRT_INFO_A_MAPPED, 20);
	nla_put_u32(message, TASKRT_INFO_A_ARMED, 21);
	nla_put_u64(message, TASKRT_INFO_A_ALERTS, 22);
	nla_put_u64(message, TASKRT_INFO_A_ALERTS_LOST, 23);
	nla_put_u32(message, TASKRT_INFO_A_INITIAL, 24);
	nla_put(message, TASKRT_INFO_A_MEASURED, measured_size, &measured);
	nla_put_u32(message, TASKRT_INFO_A_GROUPS, 25);
	nla_put(message, TASKRT_INFO_A_MAX + 1, 3, "abc");
	put_name(message, TASKRT_INFO_A_STATE, 10, "sleeping", 10);
	put_name(message, TASKRT_INFO_A_STATE, 17, "sleeping_well", 10);
	put_name(message, TASKRT_INFO_A_TIMER, 0, "fault", -1);
	put_name(message, TASKRT_INFO_A_LOCK, 4, "other", -1);
	put_name(message, TASKRT_INFO_A_VALUE, 24,
		 "a name that is longer than the room there is for it", -1);
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

static void answer_nameless(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_INFO, 0);
	struct nlattr *info = nla_nest_start(message, TASKRT_A_INFO);
	struct nlattr *nest = nla_nest_start(message, TASKRT_INFO_A_STATE);

	nla_put_u32(message, TASKRT_NAME_A_NUMBER, 1);
	nla_nest_end(message, nest);
	nla_nest_end(message, info);
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
	measured_size = sizeof(measured.known);
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
	assert_int_equal(info.exits_delivered, 100 + TASKRT_INFO_A_EXITS_DELIVERED);
	assert_int_equal(info.exits_lost, 100 + TASKRT_INFO_A_EXITS_LOST);
	assert_int_equal(info.backlog_bytes, 100 + TASKRT_INFO_A_BACKLOG);
	assert_int_equal(info.backlog_max_bytes, 100 + TASKRT_INFO_A_BACKLOG_MAX);
	assert_int_equal(info.mapped, 20);
	assert_int_equal(info.armed, 21);
	assert_int_equal(info.alerts, 22);
	assert_int_equal(info.alerts_lost, 23);
	assert_int_equal(info.initial, 24);
	assert_memory_equal(&info.measured, &measured.known, sizeof(info.measured));
	assert_int_equal(info.groups, 25);
	assert_int_equal(info.nr_hooks, 9);
	assert_int_equal(info.nr_names, 5);
	assert_int_equal(fake.last->nlmsg_flags & NLM_F_ACK, 0);
}

static struct taskrt_hook hook_of(uint32_t index)
{
	struct taskrt_hook hook;

	memset(&hook, 0xff, sizeof(hook));
	assert_int_equal(taskrt_info_hook(handle, index, &hook, sizeof(hook)), 0);
	return hook;
}

static struct taskrt_name name_of(uint32_t index)
{
	struct taskrt_name name;

	memset(&name, 0xff, sizeof(name));
	assert_int_equal(taskrt_info_name(handle, index, &name, sizeof(name)), 0);
	return name;
}

static void the_hooks(void **state)
{
	struct taskrt_info info;
	struct taskrt_hook hook;

	(void)state;
	assert_int_equal(taskrt_info_hook(handle, 0, &hook, sizeof(hook)), -ENOENT);
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	hook = hook_of(8);
	assert_string_equal(hook.name, "hook_8");
	assert_string_equal(hook.kind, "tracepoint");
	assert_int_equal(hook.status, -8);
	assert_int_equal(hook.reserved, 0);
	assert_int_equal(hook.hits, 1008);
	assert_int_equal(hook.misses, 2008);
	assert_int_equal(hook_of(0).status, 0);
	assert_int_equal(taskrt_info_hook(handle, 9, &hook, sizeof(hook)), -ENOENT);
	assert_int_equal(taskrt_info_hook(handle, UINT32_MAX, &hook, sizeof(hook)), -ENOENT);

	/* all hooks of the last answer; a failure leaves them as they were */
	hooks = 100;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_int_equal(info.nr_hooks, 100);
	assert_string_equal(hook_of(99).name, "hook_99");
	fake.answer = answer_wrong_size;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), -EBADMSG);
	assert_string_equal(hook_of(99).name, "hook_99");
}

static void check_name(uint32_t index, uint32_t kind, uint32_t number, uint32_t parent,
		       const char *text)
{
	struct taskrt_name name = name_of(index);

	assert_int_equal(name.kind, kind);
	assert_int_equal(name.number, number);
	assert_int_equal(name.parent, parent);
	assert_int_equal(name.reserved, 0);
	assert_string_equal(name.name, text);
}

/* The names, also of numbers that this library does not know. */
static void the_names(void **state)
{
	struct taskrt_info info;
	struct taskrt_name name;

	(void)state;
	assert_int_equal(taskrt_info_name(handle, 0, &name, sizeof(name)), -ENOENT);
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	check_name(0, TASKRT_NAME_STATE, 10, 10, "sleeping");
	check_name(1, TASKRT_NAME_STATE, 17, 10, "sleeping_well");
	check_name(2, TASKRT_NAME_TIMER, 0, 0, "fault");
	check_name(3, TASKRT_NAME_LOCK, 4, 4, "other");
	check_name(4, TASKRT_NAME_VALUE, 24, 24, "a name that is longer than the ");
	assert_int_equal(taskrt_info_name(handle, 5, &name, sizeof(name)), -ENOENT);
}

/* A structure of another length, in memory of exactly that length. */
static void other_sizes(void **state)
{
	const size_t full = sizeof(struct taskrt_info);
	struct taskrt_info info;
	struct taskrt_hook hook;
	struct taskrt_name name;
	size_t size;

	(void)state;
	assert_int_equal(taskrt_get_info(handle, &info, full), 0);
	for (size = 1; size <= 2 * full; size++) {
		char *bytes = malloc(size);

		memset(bytes, 0xff, size);
		assert_int_equal(taskrt_get_info(handle, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &info, size < full ? size : full);
		if (size > full)
			assert_int_equal(bytes[full] | bytes[size - 1], 0);
		free(bytes);
	}
	assert_int_equal(sizeof(hook), 72);
	assert_int_equal(sizeof(name), 48);
	hook = hook_of(8);
	name = name_of(1);
	for (size = 1; size <= 150; size++) {
		char *bytes = malloc(size);

		memset(bytes, 0xff, size);
		assert_int_equal(taskrt_info_hook(handle, 8, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &hook, size < 72 ? size : 72);
		if (size > 72)
			assert_int_equal(bytes[size - 1], 0);
		assert_int_equal(taskrt_info_name(handle, 1, (void *)bytes, size), 0);
		assert_memory_equal(bytes, &name, size < 48 ? size : 48);
		if (size > 48)
			assert_int_equal(bytes[size - 1], 0);
		free(bytes);
	}
}

/* struct taskrt_measured may grow, too. */
static void sizes_of_measured(void **state)
{
	struct taskrt_info info;

	(void)state;
	measured_size = sizeof(measured);
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_memory_equal(&info.measured, &measured.known, sizeof(info.measured));
	assert_int_equal(info.coarse_ns, 100 + TASKRT_INFO_A_COARSE_NS);
	measured_size = 8;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), 0);
	assert_int_equal(info.measured.states, 0x2fff);
	assert_int_equal(info.measured.timers, 3);
	assert_int_equal(info.measured.locks, 0);
	assert_int_equal(info.measured.values, 0);
}

static void bad_arguments(void **state)
{
	struct taskrt_info info;
	struct taskrt_hook hook;
	struct taskrt_name name;

	(void)state;
	assert_int_equal(taskrt_get_info(handle, NULL, sizeof(info)), -EINVAL);
	assert_int_equal(taskrt_get_info(NULL, &info, sizeof(info)), -EINVAL);
	assert_int_equal(taskrt_get_info(handle, &info, 0), -EINVAL);
	assert_int_equal(taskrt_info_hook(NULL, 0, &hook, sizeof(hook)), -EINVAL);
	assert_int_equal(taskrt_info_hook(handle, 0, NULL, sizeof(hook)), -EINVAL);
	assert_int_equal(taskrt_info_hook(handle, 0, &hook, 0), -EINVAL);
	assert_int_equal(taskrt_info_name(NULL, 0, &name, sizeof(name)), -EINVAL);
	assert_int_equal(taskrt_info_name(handle, 0, NULL, sizeof(name)), -EINVAL);
	assert_int_equal(taskrt_info_name(handle, 0, &name, 0), -EINVAL);
	assert_int_equal(fake.requests, 0);
}

static void bad_answers(void **state)
{
	struct taskrt_info info = { .threads = 5 };

	(void)state;
	fake.answer = answer_wrong_size;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), -EBADMSG);
	assert_int_equal(info.threads, 5);
	fake.answer = answer_nameless;
	assert_int_equal(taskrt_get_info(handle, &info, sizeof(info)), -EBADMSG);
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

/* The library may return anything, but it must not crash or hang, and strings end with a NUL. */
static void damaged(void **state)
{
	unsigned int i, good = 0, bad = 0;

	(void)state;
	for (i = 1; i <= 20000; i++) {
		struct taskrt_info info = { 0 };
		uint32_t k;

		damage = i;
		if (taskrt_get_info(handle, &info, sizeof(info))) {
			bad++;
			continue;
		}
		good++;
		assert_non_null(memchr(info.module_version, 0, sizeof(info.module_version)));
		for (k = 0; k < info.nr_hooks; k++)
			assert_non_null(memchr(hook_of(k).name, 0, 32));
		for (k = 0; k < info.nr_names; k++)
			assert_non_null(memchr(name_of(k).name, 0, 32));
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
		cmocka_unit_test_setup_teardown(the_hooks, start, finish),
		cmocka_unit_test_setup_teardown(the_names, start, finish),
		cmocka_unit_test_setup_teardown(sizes_of_measured, start, finish),
		cmocka_unit_test_setup_teardown(other_sizes, start, finish),
		cmocka_unit_test_setup_teardown(bad_arguments, start, finish),
		cmocka_unit_test_setup_teardown(bad_answers, start, finish),
		cmocka_unit_test_setup_teardown(gone, start, finish),
		cmocka_unit_test_setup_teardown(damaged, start, finish),
	};

	return cmocka_run_group_tests_name("info", tests, NULL, NULL);
}
