/* SPDX-License-Identifier: GPL-2.0-only */
/* EXIT messages for the tests of listeners. */
#ifndef TASKRT_EXIT_MESSAGES_H
#define TASKRT_EXIT_MESSAGES_H

#include <netlink/attr.h>

#include "fake_kernel.h"
#include "taskrt.h"

/* One record behind those of message. */
static inline void put_exit(struct nl_msg *message, uint32_t id, bool process, size_t size)
{
	struct taskrt_stats stats = {
		.version = 3, .size = 256, .valid = ~0ULL, .cpu_time_ns = 1000 + id,
		.tid = process ? 0 : id, .tgid = id,
	};
	struct taskrt_times times = { 0 };
	struct nlattr *nest = nla_nest_start(message, process ? TASKRT_A_AGGR_TGID :
							       TASKRT_A_AGGR_TID);

	nla_put_u32(message, process ? TASKRT_AGGR_A_TGID : TASKRT_AGGR_A_TID, id);
	nla_put_u32(message, TASKRT_AGGR_A_CPU, id % 4);
	nla_put_u64(message, TASKRT_AGGR_A_SEQ, id);
	nla_put(message, TASKRT_AGGR_A_STATS, size, &stats);
	times.states_ns[0] = 2000 + id;
	nla_put(message, TASKRT_AGGR_A_TIMES, sizeof(times), &times);
	nla_nest_end(message, nest);
}

static inline struct nl_msg *exit_header(uint64_t seq, uint64_t lost)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_EXIT, 0);

	nla_put_u64(message, TASKRT_A_SEQ, seq);
	nla_put_u64(message, TASKRT_A_LOST, lost);
	return message;
}

/* The records of that many threads, whose ids number the delivered records: from seq - lost on. */
static inline struct nl_msg *exit_message(uint64_t seq, uint64_t lost, unsigned int threads)
{
	struct nl_msg *message = exit_header(seq, lost);
	unsigned int i;

	for (i = 0; i < threads; i++)
		put_exit(message, seq - lost + i, false, 256);
	return message;
}

#endif /* TASKRT_EXIT_MESSAGES_H */
