/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts that messages are made of, the same in a reply and in a dump. */
#ifndef TASKRT_MESSAGE_H
#define TASKRT_MESSAGE_H

#include <linux/skbuff.h>
#include <linux/taskrt.h>
#include "netlink/stats.h"

struct netlink_ext_ack;
struct nlattr;

/*
 * message_format() - what to answer with: version and groups of view
 * @version: the newest that the asker knows, @groups: those that it wants; NULL: it does not say
 * Return: 0; -EINVAL with a text.
 */
int message_format(struct stats_view *view, const struct nlattr *version,
		   const struct nlattr *groups, struct netlink_ext_ack *extack);

/* Of one that ended: where, and the number of this record. */
struct message_exit {
	u32 cpu;
	u64 seq;
};

/*
 * The nest of one thread or process, or of a process's children, with room for what the
 * view wants, which the caller fills in.  @exit: NULL, but in an EXIT.
 * Return: 0; -EMSGSIZE.
 */
int message_put_thread(struct sk_buff *skb, u32 tid, const struct message_exit *exit,
		       const struct stats_view *view, struct stats_room *room);
int message_put_process(struct sk_buff *skb, u32 tgid, const struct message_exit *exit,
			const struct stats_view *view, struct stats_room *room);
int message_put_children(struct sk_buff *skb, u32 tgid, const struct stats_view *view,
			 struct stats_room *room);

/* Bytes that any of these takes at most; and in an EXIT. */
size_t message_aggregate_size(const struct stats_view *view);
size_t message_exit_size(const struct stats_view *view);

#endif /* TASKRT_MESSAGE_H */
