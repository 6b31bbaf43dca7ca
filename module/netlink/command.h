/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands of the family, and the files that serve or send them. */
#ifndef TASKRT_COMMAND_H
#define TASKRT_COMMAND_H

#include <linux/kthread.h>
#include <linux/types.h>

struct genl_info;
struct netlink_callback;
struct recorder;
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

/*
 * arm.c: flight recorders
 *
 * A thread is armed only as long as the socket that armed it is open.  Therefore arm_init()
 * registers a notifier of closed sockets.
 */
int arm_do(struct sk_buff *skb, struct genl_info *info);
int disarm_do(struct sk_buff *skb, struct genl_info *info);
int arm_init(void);
void arm_exit(void);

/*
 * info_init() - set the max_threads that INFO reports
 * info_put() - add the nest INFO: what this module measures on this kernel
 * @skb, @requester: the request; INFO says whether its namespaces are the initial ones.  @skb also
 *	decides which values are hidden.
 *
 * Context: may sleep.
 * Return: 0 or -EMSGSIZE.
 */
void info_init(u64 max_threads);
int info_put(struct sk_buff *reply, const struct sk_buff *skb, struct genl_info *requester);

/* Sends alerts to the multicast group, and drops them while no socket has joined it. */
extern struct kthread_work alert_work;

#endif /* TASKRT_COMMAND_H */
