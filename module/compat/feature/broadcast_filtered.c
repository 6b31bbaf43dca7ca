// SPDX-License-Identifier: GPL-2.0-only
/* Upstream before 5.16, and since 6.6. */
#include <linux/netlink.h>

int feature(struct sock *sk, struct sk_buff *skb);
int feature(struct sock *sk, struct sk_buff *skb)
{
#ifndef TASKRT_CONTROL
	return netlink_broadcast_filtered(sk, skb, 0, 1, GFP_KERNEL, NULL, NULL);
#else
	return netlink_broadcast(sk, skb, 0, 1, GFP_KERNEL);
#endif
}
