/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts that messages are made of, the same in a reply and in a dump. */
#ifndef TASKRT_MESSAGE_H
#define TASKRT_MESSAGE_H

#include <linux/skbuff.h>
#include <linux/taskrt.h>

struct nlattr;

/*
 * The version to answer with: the asker's newest, which its attribute tells if
 * there is one, or ours if that is older.
 */
u32 message_version(const struct nlattr *version);

/*
 * The nest of one thread or process with room for its statistics, which the
 * caller fills in.  Return: NULL, if the message is full.
 */
struct taskrt_stats *message_put_thread(struct sk_buff *skb, u32 tid, u32 version);
struct taskrt_stats *message_put_process(struct sk_buff *skb, u32 tgid, u32 version);

struct taskrt_stats *message_put_children(struct sk_buff *skb, u32 tgid, u32 version);

/* As these, of one that ended on @cpu. */
struct taskrt_stats *message_put_thread_exit(struct sk_buff *skb, u32 tid, u32 cpu, u32 version);
struct taskrt_stats *message_put_process_exit(struct sk_buff *skb, u32 tgid, u32 cpu, u32 version);

/* Bytes that any of these takes at most. */
size_t message_aggregate_size(u32 version);

#endif /* TASKRT_MESSAGE_H */
