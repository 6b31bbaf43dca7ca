// SPDX-License-Identifier: GPL-2.0-only
/* The totals of the children stand beside those of the process, and are not mixed with them. */
#include <errno.h>
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

/* As a module of 0.1 does. */
static void answer_unknown(struct nlmsghdr *request)
{
	fake_verdict(request, -EINVAL, "Unknown attribute type", true);
}

static void answer_children(struct nlmsghdr *request)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, 0);

	put_aggregate(message, TASKRT_A_AGGR_TGID);
	put_aggregate(message, TASKRT_A_AGGR_CHILDREN);
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
	fake.answer = answer_unknown;
	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, 5, &now), -EOPNOTSUPP);
	assert_string_equal(taskrt_error(handle), "Unknown attribute type");
	assert_int_equal(get(TASKRT_ENTITY_PROCESS, 5, &now), -EINVAL);
	assert_int_equal(get(TASKRT_ENTITY_CHILDREN, -1, &now), -EINVAL);
	taskrt_close(handle);
	fake_reset(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(children) };

	return cmocka_run_group_tests_name("children", tests, NULL, NULL);
}
