/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_NETLINK_H
#define TASKRT_NETLINK_H

struct genl_family;
struct genl_info;
struct netlink_callback;
struct recorder;
struct sk_buff;

extern struct genl_family netlink_family;

/* The family is the last thing to come and the first to go. */
int netlink_init(void);
void netlink_exit(void);

/* get.c: one thread or process */
int get_do(struct sk_buff *skb, struct genl_info *info);

/* dump.c: all threads, or those of a process */
int dump_start(struct netlink_callback *cb);
int dump_next(struct sk_buff *skb, struct netlink_callback *cb);
int dump_done(struct netlink_callback *cb);

/* register.c: who wants to be told of exits */
int register_do(struct sk_buff *skb, struct genl_info *info);
int deregister_do(struct sk_buff *skb, struct genl_info *info);
int list_do(struct sk_buff *skb, struct genl_info *info);

/* arm.c: who has a flight recorder */
int arm_init(void);
void arm_exit(void);
int arm_do(struct sk_buff *skb, struct genl_info *info);
int disarm_do(struct sk_buff *skb, struct genl_info *info);

/* alert.c: tells the multicast group.  Return: 0; -ESRCH: nobody listens; -ENOMEM. */
int alert_tell(const struct recorder *rec);

#endif /* TASKRT_NETLINK_H */
