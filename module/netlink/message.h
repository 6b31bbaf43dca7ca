/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of messages, which are the same in a reply, a dump and a notification. */
#ifndef TASKRT_MESSAGE_H
#define TASKRT_MESSAGE_H

#include <linux/skbuff.h>
#include <linux/taskrt.h>
#include "netlink/stats.h"

struct netlink_ext_ack;
struct nlattr;

/*
 * message_format() - set the version and the groups of @view
 * @known: STATS_GROUPS, or STATS_GROUPS_OF_ONE
 * @version: the newest version that the requester knows; NULL for the default
 * @groups: the groups that it requests; NULL for the default
 *
 * Return: 0, or -EINVAL with a text.
 */
int message_format(struct stats_view *view, u32 known, const struct nlattr *version,
		   const struct nlattr *groups, struct netlink_ext_ack *extack);

/* What only an exit record has. */
struct message_exit {
	u32 cpu;			/* on which the record closed */
	u64 seq;			/* number of this exit record */
};

/*
 * message_put_*() - add the nest of a thread, of a process, or of a process's children
 * @exit: in an EXIT, otherwise NULL
 * @aggr: set to what is reserved for the groups of @view, for the caller to fill
 *
 * Return: 0 or -EMSGSIZE.
 */
int message_put_thread(struct sk_buff *skb, u32 tid, const struct message_exit *exit,
		       const struct stats_view *view, struct stats_aggr *aggr);
int message_put_process(struct sk_buff *skb, u32 tgid, const struct message_exit *exit,
			const struct stats_view *view, struct stats_aggr *aggr);
int message_put_children(struct sk_buff *skb, u32 tgid, const struct stats_view *view,
			 struct stats_aggr *aggr);

/* The maximum size of one of these nests, in bytes; outside of an EXIT, and in an EXIT. */
size_t message_aggregate_size(const struct stats_view *view);
size_t message_exit_size(const struct stats_view *view);

#endif /* TASKRT_MESSAGE_H */
