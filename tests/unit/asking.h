/* SPDX-License-Identifier: GPL-2.0-only */
/* One handle at a time, and answers to GET: the module's answers, and errors. */
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

/* Adds a group of size bytes, whose words are base, base + 1 and so on. */
static inline void put_words(struct nl_msg *message, int attribute, uint64_t base, size_t size)
{
	uint64_t words[200];
	size_t i;

	assert_true(size <= sizeof(words));
	for (i = 0; i < 200; i++)
		words[i] = base + i;
	nla_put(message, attribute, size, words);
}

/* The groups, with their sizes in version 1.0. */
static inline void put_groups(struct nl_msg *message, uint32_t groups)
{
	if (groups & TASKRT_GROUP_TIMES)
		put_words(message, TASKRT_AGGR_A_TIMES, 1000, 384);
	if (groups & TASKRT_GROUP_COUNTS)
		put_words(message, TASKRT_AGGR_A_COUNTS, 2000, 704);
	if (groups & TASKRT_GROUP_LONGEST)
		put_words(message, TASKRT_AGGR_A_LONGEST, 3000, 640);
}

static inline void put_stats(struct nl_msg *message, uint32_t id, uint32_t version, size_t size)
{
	union { struct taskrt_stats stats; char room[1024]; } payload = { .stats = {
		.version = version, .size = size, .valid = ~0ULL,
		.cpu_time_ns = 1000 + id,
	} };

	if (version > 2)
		payload.stats.tid = id;
	nla_put(message, TASKRT_AGGR_A_STATS, size, &payload);
}

/* An answer to GET with one nest, of the thread id. */
static inline struct nl_msg *stats_message(uint32_t tid, uint32_t version, size_t size,
					   uint32_t groups, int flags)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_GET, flags);
	struct nlattr *nest = nla_nest_start(message, TASKRT_A_AGGR_TID);

	nla_put_u32(message, TASKRT_AGGR_A_TID, tid);
	nla_put(message, TASKRT_AGGR_A_PAD, 0, NULL);
	put_stats(message, tid, version, size);
	put_groups(message, groups);
	nla_nest_end(message, nest);
	return message;
}

static inline struct nl_msg *thread_message(uint32_t tid, int flags)
{
	return stats_message(tid, 3, 256, 0, flags);
}

/* Answers as the module does, with the groups that were requested. */
static inline void answer_stats(struct nlmsghdr *request)
{
	fake_send(stats_message(77, 3, 256, fake_asked(TASKRT_A_GROUPS), 0));
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

/* Queries the thread that all these answers are about, without groups. */
static inline int get_own(struct taskrt_reading *reading)
{
	return taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, 0, reading, sizeof(*reading));
}

/* For lists of the threads 1, 2, 3 and so on. */
static inline int count(const struct taskrt_reading *reading, void *arg)
{
	int *seen = arg;

	assert_int_equal(reading->stats.tid, ++*seen);
	return 0;
}

static inline int each(int *seen)
{
	return taskrt_each(handle, NULL, 0, sizeof(struct taskrt_reading), count, seen);
}

static inline int each_of(const struct taskrt_query *query, size_t size)
{
	int seen = 0;

	return taskrt_each(handle, query, size, sizeof(struct taskrt_reading), count, &seen);
}

#endif /* TASKRT_ASKING_H */
