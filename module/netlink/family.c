// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/taskrt.h>
#include "compat/compat.h"
#include "netlink/family.h"

/*
 * Alerts are multicast in the initial network namespace.  Joining needs CAP_NET_ADMIN there;
 * alert.c checks the opener of the socket.
 */
static const struct genl_multicast_group family_groups[] = {
	[FAMILY_GROUP_ALERTS] = { .name = TASKRT_GENL_ALERTS, .flags = COMPAT_MCAST_FLAGS },
};

static bool serving;

void family_serve(void)
{
	WRITE_ONCE(serving, true);
}

int family_check(struct netlink_ext_ack *extack)
{
	if (likely(READ_ONCE(serving)))
		return 0;
	NL_SET_ERR_MSG(extack, "the module is just being inserted");
	return -ENOENT;
}

/* @skb starts with @request: netlink_rcv_skb() removes each request after it was served. */
int family_check_alone(const struct sk_buff *skb, const struct nlmsghdr *request,
		       struct netlink_ext_ack *extack)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	if (skb->len <= NLMSG_ALIGN(request->nlmsg_len))
		return 0;
	NL_SET_ERR_MSG(extack, "this request must be the last one in its datagram");
	return -EINVAL;
}

struct genl_family family __ro_after_init = {
	.name		= TASKRT_GENL_NAME,
	.version	= TASKRT_GENL_VERSION,
	.maxattr	= TASKRT_A_MAX,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.mcgrps		= family_groups,
	.n_mcgrps	= ARRAY_SIZE(family_groups),
};
