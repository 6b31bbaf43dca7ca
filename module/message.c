// SPDX-License-Identifier: GPL-2.0-only
#include <linux/taskrt.h>
#include <net/netlink.h>
#include "message.h"
#include "stats.h"

u32 message_version(const struct nlattr *version)
{
	return stats_version(version ? nla_get_u32(version) : TASKRT_STATS_VERSION);
}

/* Aligned to 8 in the message, on every architecture. */
static struct taskrt_stats *reserve_stats(struct sk_buff *skb, u32 version)
{
	struct nlattr *attr;

	if (!IS_ALIGNED(skb->len + NLA_HDRLEN, 8) &&
	    !nla_reserve(skb, TASKRT_AGGR_A_PAD, 0))
		return NULL;
	attr = nla_reserve(skb, TASKRT_AGGR_A_STATS, stats_size(version));
	return attr ? nla_data(attr) : NULL;
}

#define NO_CPU		U32_MAX

/* The nest around the statistics of one thread or process, to be filled in. */
static struct taskrt_stats *put_aggregate(struct sk_buff *skb, int aggregate, int id_type,
					  u32 id, u32 cpu, u32 version)
{
	struct nlattr *nest = nla_nest_start(skb, aggregate);
	struct taskrt_stats *stats;

	if (!nest || nla_put_u32(skb, id_type, id) ||
	    (cpu != NO_CPU && nla_put_u32(skb, TASKRT_AGGR_A_CPU, cpu)))
		return NULL;
	stats = reserve_stats(skb, version);
	nla_nest_end(skb, nest);
	return stats;
}

struct taskrt_stats *message_put_thread(struct sk_buff *skb, u32 tid, u32 version)
{
	return message_put_thread_exit(skb, tid, NO_CPU, version);
}

struct taskrt_stats *message_put_process(struct sk_buff *skb, u32 tgid, u32 version)
{
	return message_put_process_exit(skb, tgid, NO_CPU, version);
}

struct taskrt_stats *message_put_children(struct sk_buff *skb, u32 tgid, u32 version)
{
	return put_aggregate(skb, TASKRT_A_AGGR_CHILDREN, TASKRT_AGGR_A_TGID, tgid, NO_CPU,
			     version);
}

struct taskrt_stats *message_put_thread_exit(struct sk_buff *skb, u32 tid, u32 cpu, u32 version)
{
	return put_aggregate(skb, TASKRT_A_AGGR_TID, TASKRT_AGGR_A_TID, tid, cpu, version);
}

struct taskrt_stats *message_put_process_exit(struct sk_buff *skb, u32 tgid, u32 cpu, u32 version)
{
	return put_aggregate(skb, TASKRT_A_AGGR_TGID, TASKRT_AGGR_A_TGID, tgid, cpu, version);
}

size_t message_aggregate_size(u32 version)
{
	return nla_total_size(2 * nla_total_size(sizeof(u32)) + nla_total_size(0) +
			      nla_total_size(stats_size(version)));
}
