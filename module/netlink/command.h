/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands of the family, and the files that serve them. */
#ifndef TASKRT_COMMAND_H
#define TASKRT_COMMAND_H

struct genl_info;
struct netlink_callback;
struct sk_buff;

/* get.c: one thread or process */
int get_do(struct sk_buff *skb, struct genl_info *info);

/* dump.c: all threads, or the threads of a process */
int dump_start(struct netlink_callback *cb);
int dump_next(struct sk_buff *skb, struct netlink_callback *cb);
int dump_done(struct netlink_callback *cb);

/* register.c: registrations for exits */
int register_do(struct sk_buff *skb, struct genl_info *info);
int deregister_do(struct sk_buff *skb, struct genl_info *info);
int list_do(struct sk_buff *skb, struct genl_info *info);

/* arm.c: flight recorders */
int arm_do(struct sk_buff *skb, struct genl_info *info);
int disarm_do(struct sk_buff *skb, struct genl_info *info);

#endif /* TASKRT_COMMAND_H */
