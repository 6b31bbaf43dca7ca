// SPDX-License-Identifier: GPL-2.0-only
#include <linux/taskrt.h>
#include <net/netlink.h>
#include "netlink/message.h"

/* Without VERSION the version is 3, even if there are newer ones. */
#define VERSION_BY_DEFAULT	3

static u32 message_groups_by_default(u32 version)
{
	return version < 3 ? 0 : TASKRT_GROUP_TIMES;
}

int message_format(struct stats_view *view, u32 known, const struct nlattr *version,
		   const struct nlattr *groups, struct netlink_ext_ack *extack)
{
	u32 wanted;

	view->version = stats_version(version ? nla_get_u32(version) : VERSION_BY_DEFAULT);
	wanted = groups ? nla_get_u32(groups) : message_groups_by_default(view->version);
	if (wanted & TASKRT_GROUPS_REFUSED) {
		NL_SET_ERR_MSG_ATTR(extack, groups,
				    "GROUPS: bit 31 is refused; request only groups that you know");
		return -EINVAL;
	}
	/* Unknown groups are no error: the requester sees that they are missing in the answer. */
	view->groups = wanted & known;
	return 0;
}

/* Return: where the data of the attribute starts. */
static void *message_attr(void *at, int type, size_t size)
{
	*(struct nlattr *)at = (struct nlattr){ .nla_len = NLA_HDRLEN + size, .nla_type = type };
	return at + NLA_HDRLEN;
}

/*
 * Reserves an attribute at *@at.  Its data is aligned to 8 bytes in the message on every
 * architecture.  @size is a multiple of 8.
 */
static void *message_reserve(const struct sk_buff *skb, void **at, int type, size_t size)
{
	void *data;

	if (!IS_ALIGNED(*at + NLA_HDRLEN - (void *)skb->data, 8))
		*at = message_attr(*at, TASKRT_AGGR_A_PAD, 0);
	data = message_attr(*at, type, size);
	*at = data + size;
	return data;
}

/* Return: where the next attribute starts; so do the next two functions. */
static void *message_u32(void *at, int type, u32 value)
{
	u32 *data = message_attr(at, type, sizeof(value));

	*data = value;
	return data + 1;
}

static void *message_reserve_all(const struct sk_buff *skb, void *at,
				 const struct stats_view *view, struct stats_aggr *aggr)
{
	const u32 groups = view->groups;
	const u32 stats = stats_size(view->version);

	*aggr = (struct stats_aggr){
		.stats = message_reserve(skb, &at, TASKRT_AGGR_A_STATS, stats),
	};
	if (groups & TASKRT_GROUP_TIMES)
		aggr->times = message_reserve(skb, &at, TASKRT_AGGR_A_TIMES,
					      sizeof(*aggr->times));
	if (groups & TASKRT_GROUP_COUNTS)
		aggr->counts = message_reserve(skb, &at, TASKRT_AGGR_A_COUNTS,
					       sizeof(*aggr->counts));
	if (groups & TASKRT_GROUP_LONGEST)
		aggr->longest = message_reserve(skb, &at, TASKRT_AGGR_A_LONGEST,
						sizeof(*aggr->longest));
	return at;
}

static void *message_exit(void *at, const struct message_exit *exit)
{
	at = message_u32(at, TASKRT_AGGR_A_CPU, exit->cpu);
	/* Like nla_put_u64_64bit(): padding only where a CPU needs it. */
	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) && IS_ALIGNED((unsigned long)at, 8))
		at = message_attr(at, TASKRT_AGGR_A_PAD, 0);
	at = message_attr(at, TASKRT_AGGR_A_SEQ, sizeof(exit->seq));
	memcpy(at, &exit->seq, sizeof(exit->seq));
	return at + sizeof(exit->seq);
}

/*
 * Adds the nest of one thread or process; the caller fills in @aggr.  Tests the room for all
 * attributes at once: a test for each was a quarter of the cost of dumping a thread.
 */
static int message_put_aggregate(struct sk_buff *skb, int aggregate, int id_type, u32 id,
				 const struct message_exit *exit, const struct stats_view *view,
				 struct stats_aggr *aggr)
{
	void *nest = skb_tail_pointer(skb);
	void *inside = nest + NLA_HDRLEN, *at = inside;

	if (skb_tailroom(skb) < (exit ? message_exit_size(view) : message_aggregate_size(view)))
		return -EMSGSIZE;
	at = message_u32(at, id_type, id);
	if (exit)
		at = message_exit(at, exit);
	at = message_reserve_all(skb, at, view, aggr);
	message_attr(nest, NLA_F_NESTED | aggregate, at - inside);
	aggr->nest = nest;
	skb_put(skb, at - nest);
	return 0;
}

int message_put_thread(struct sk_buff *skb, u32 tid, const struct message_exit *exit,
		       const struct stats_view *view, struct stats_aggr *aggr)
{
	return message_put_aggregate(skb, TASKRT_A_AGGR_TID, TASKRT_AGGR_A_TID, tid, exit, view,
				     aggr);
}

int message_put_process(struct sk_buff *skb, u32 tgid, const struct message_exit *exit,
			const struct stats_view *view, struct stats_aggr *aggr)
{
	return message_put_aggregate(skb, TASKRT_A_AGGR_TGID, TASKRT_AGGR_A_TGID, tgid, exit, view,
				     aggr);
}

int message_put_children(struct sk_buff *skb, u32 tgid, const struct stats_view *view,
			 struct stats_aggr *aggr)
{
	return message_put_aggregate(skb, TASKRT_A_AGGR_CHILDREN, TASKRT_AGGR_A_TGID, tgid, NULL,
				     view, aggr);
}

/* The size of a group with its padding. */
static __always_inline size_t message_group_size(const struct stats_view *view, u32 group,
						 size_t size)
{
	return view->groups & group ? nla_total_size(0) + nla_total_size(size) : 0;
}

static __always_inline size_t message_inside_size(const struct stats_view *view)
{
	return nla_total_size(sizeof(u32)) +
	       nla_total_size(0) + nla_total_size(stats_size(view->version)) +
	       message_group_size(view, TASKRT_GROUP_TIMES, sizeof(struct taskrt_times)) +
	       message_group_size(view, TASKRT_GROUP_COUNTS, sizeof(struct taskrt_counts)) +
	       message_group_size(view, TASKRT_GROUP_LONGEST, sizeof(struct taskrt_longests));
}

size_t message_aggregate_size(const struct stats_view *view)
{
	return nla_total_size(message_inside_size(view));
}

size_t message_exit_size(const struct stats_view *view)
{
	return nla_total_size(nla_total_size(sizeof(u32)) + nla_total_size_64bit(sizeof(u64)) +
			      message_inside_size(view));
}
