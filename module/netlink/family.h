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
 * family_serve() - the module has been inserted, and stays
 * family_check() - has it?  If not, a request that leaves something behind is refused
 *
 * Requests arrive as soon as the family is registered, but the insertion may fail after that.
 * The kernel then frees the module in spite of any reference, such as a dump's.
 * Return: 0; -ENOENT, as from the kernel while there is no such family.
 */
void family_serve(void);
int family_check(struct netlink_ext_ack *extack);

/*
 * family_check_alone() - is this request the last one in its datagram?
 *
 * All requests of a datagram are served in one system call, under the lock of generic
 * netlink, and no signal ends that.  One that may take long is not served if others follow.
 * Return: 0; -EINVAL, with a text, if others follow; -EINTR if the requester is being killed.
 */
int family_check_alone(const struct sk_buff *skb, const struct nlmsghdr *request,
		       struct netlink_ext_ack *extack);

#endif /* TASKRT_FAMILY_H */
