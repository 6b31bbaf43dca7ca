/* SPDX-License-Identifier: GPL-2.0-only */
/* One handle at a time, and answers to GET: those of the module, and errors. */
#ifndef TASKRT_ASKING_H
#define TASKRT_ASKING_H

#include <netlink/attr.h>

#include "unit.h"
#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt *handle;

static int answer_errno;
static const char *answer_text;
static bool answer_capped;

static inline struct nl_msg *stats_message(uint32_t tid, uint32_t version, size_t size, int flags)
{
	struct taskrt_stats stats = {
		.version = version, .size = size, .valid = ~0ULL,
		.cpu_time_ns = 1000 + tid, .tid = tid,
	};
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, flags);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_TID);

	nla_put_u32(message, TASKRT_AGGR_A_TID, tid);
	nla_put(message, TASKRT_AGGR_A_PAD, 0, NULL);
	nla_put(message, TASKRT_AGGR_A_STATS, size, &stats);
	nla_nest_end(message, nest);
	return message;
}

/* What the module does: the version that was asked for. */
static inline void answer_stats(struct nlmsghdr *request)
{
	static const size_t sizes[] = { 0, 32, 48, 600 };
	uint32_t version = fake_asked(TASKRT_A_VERSION);

	fake_send(stats_message(77, version, sizes[version], 0));
	fake_verdict(request, 0, NULL, true);
}

static inline void answer_error(struct nlmsghdr *request)
{
	fake_verdict(request, answer_errno, answer_text, answer_capped);
}

static inline void start(void (*answer)(struct nlmsghdr *))
{
	fake_reset(answer);
	answer_errno = 0;
	answer_text = NULL;
	answer_capped = true;
	assert_int_equal(taskrt_open(&handle), 0);
	assert_string_equal(taskrt_error(handle), "");
}

static inline int finish(void **state)
{
	(void)state;
	taskrt_close(handle);
	handle = NULL;
	fake_reset(NULL);
	return 0;
}

/* For lists of the threads 1, 2, 3 and so on. */
static inline int count(const struct taskrt_stats *stats, void *arg)
{
	int *seen = arg;

	assert_int_equal(stats->tid, ++*seen);
	return 0;
}

#endif /* TASKRT_ASKING_H */
