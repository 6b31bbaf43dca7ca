/* SPDX-License-Identifier: GPL-2.0-only */
/* The generic netlink family, which all messages need.  netlink.c adds the commands. */
#ifndef TASKRT_FAMILY_H
#define TASKRT_FAMILY_H

#include <net/genetlink.h>

extern struct genl_family family;

enum family_group {
	FAMILY_GROUP_ALERTS,
};

/*
 * family_serve() - the module was inserted, and stays
 * family_check() - before that, refuse a request that leaves something behind, such as a dump
 *
 * Requests arrive as soon as the family is registered, but the insertion may fail later.  Then the
 * kernel frees the module in spite of any reference, such as a dump's.
 * Return: 0; -ENOENT, which the kernel returns if there is no such family.
 */
void family_serve(void);
int family_check(struct netlink_ext_ack *extack);

/*
 * family_check_alone() - refuse a request that others follow in its datagram
 *
 * All requests of a datagram are served in one system call, under the lock of generic netlink, and
 * no signal interrupts that.  So a request that may take long must be the last one.
 * Return: 0; -EINVAL, with a text, if others follow; -EINTR if the requester is being killed.
 */
int family_check_alone(const struct sk_buff *skb, const struct nlmsghdr *request,
		       struct netlink_ext_ack *extack);

#endif /* TASKRT_FAMILY_H */
