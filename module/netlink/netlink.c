// SPDX-License-Identifier: GPL-2.0-only
/* The table of the commands, with the attributes that each accepts. */
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include "engine/record.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/filter.h"
#include "netlink/netlink.h"

static const struct nla_policy get_policy[TASKRT_A_CHILDREN + 1] = {
	[TASKRT_A_TID]		= { .type = NLA_U32 },
	[TASKRT_A_TGID]		= { .type = NLA_U32 },
	[TASKRT_A_VERSION]	= NLA_POLICY_MIN(NLA_U32, 1),
	[TASKRT_A_ENTITIES]	= { .type = NLA_U32 },
	[TASKRT_A_FILTER]	= NLA_POLICY_NESTED(filter_policy),
	[TASKRT_A_GROUPS]	= { .type = NLA_U32 },
	[TASKRT_A_CHILDREN]	= { .type = NLA_FLAG },
};

/* CPUMASK is a string, but listener.c checks it, to return a text for each error. */
static const struct nla_policy register_policy[TASKRT_A_GROUPS + 1] = {
	[TASKRT_A_VERSION]	= NLA_POLICY_MIN(NLA_U32, 1),
	[TASKRT_A_CPUMASK]	= { .type = NLA_BINARY },
	[TASKRT_A_ENTITIES]	= NLA_POLICY_MASK(NLA_U32, TASKRT_ENTITIES_THREADS |
							   TASKRT_ENTITIES_PROCESSES),
	[TASKRT_A_FILTER]	= NLA_POLICY_NESTED(filter_policy),
	[TASKRT_A_GROUPS]	= { .type = NLA_U32 },
};

static const struct nla_policy deregister_policy[TASKRT_A_CPUMASK + 1] = {
	[TASKRT_A_CPUMASK]	= { .type = NLA_BINARY },
};

/* Without a policy, any attribute would be silently accepted. */
static const struct nla_policy info_policy[TASKRT_A_TID + 1] = {
	[TASKRT_A_TID] = { .type = NLA_REJECT, .reject_message = "INFO takes no attributes" },
};

static const struct nla_policy list_policy[TASKRT_A_TID + 1] = {
	[TASKRT_A_TID] = { .type = NLA_REJECT, .reject_message = "LIST takes no attributes" },
};

static const struct nla_policy arm_policy[TASKRT_A_STATES + 1] = {
	[TASKRT_A_TID]		= { .type = NLA_U32 },
	[TASKRT_A_DEPTH]	= NLA_POLICY_RANGE(NLA_U32, TASKRT_DEPTH_MIN, TASKRT_DEPTH_MAX),
	[TASKRT_A_THRESHOLD]	= { .type = NLA_U64 },
	[TASKRT_A_ALERT_OVER]	= { .type = NLA_U64 },
	[TASKRT_A_STATES]	= NLA_POLICY_MASK(NLA_U32, MEASURED_STATES),
};

static const struct nla_policy disarm_policy[TASKRT_A_TID + 1] = {
	[TASKRT_A_TID]		= { .type = NLA_U32 },
};

/* Enough for all hooks and names on any supported kernel. */
#define INFO_SIZE	8192

static int netlink_info_do(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	void *header;
	int err;

	/* INFO visits each hook of each CPU, so it may take long. */
	err = family_check_alone(skb, info->nlhdr, info->extack);
	if (err)
		return err;
	reply = genlmsg_new(INFO_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &family, 0, TASKRT_CMD_INFO);
	err = header ? info_put(reply, skb, info) : -EMSGSIZE;
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

static const struct genl_ops ops[] = {
	{
		.cmd	 = TASKRT_CMD_GET,
		.policy	 = get_policy,
		.maxattr = ARRAY_SIZE(get_policy) - 1,
		.doit	 = get_do,
		.start	 = dump_start,
		.dumpit	 = dump_next,
		.done	 = dump_done,
	}, {
		.cmd	 = TASKRT_CMD_INFO,
		.policy	 = info_policy,
		.maxattr = ARRAY_SIZE(info_policy) - 1,
		.doit	 = netlink_info_do,
	}, {
		.cmd	 = TASKRT_CMD_REGISTER,
		.policy	 = register_policy,
		.maxattr = ARRAY_SIZE(register_policy) - 1,
		.doit	 = register_do,
	}, {
		.cmd	 = TASKRT_CMD_DEREGISTER,
		.policy	 = deregister_policy,
		.maxattr = ARRAY_SIZE(deregister_policy) - 1,
		.doit	 = deregister_do,
	}, {
		.cmd	 = TASKRT_CMD_LIST,
		.policy	 = list_policy,
		.maxattr = ARRAY_SIZE(list_policy) - 1,
		.doit	 = list_do,
	}, {
		.cmd	 = TASKRT_CMD_ARM,
		.policy	 = arm_policy,
		.maxattr = ARRAY_SIZE(arm_policy) - 1,
		.doit	 = arm_do,
	}, {
		.cmd	 = TASKRT_CMD_DISARM,
		.policy	 = disarm_policy,
		.maxattr = ARRAY_SIZE(disarm_policy) - 1,
		.doit	 = disarm_do,
	},
};

#ifdef TASKRT_HAVE_BROADCAST_FILTERED

/* Any socket may be in the group: alert_is_withheld() checks its right for each message. */
static int __init netlink_register(void)
{
	return genl_register_family(&family);
}

#else

#define REGISTER_TRIES	16

/*
 * Any socket may have joined the group of alerts before the family owned it.  If one has,
 * unregister the family, which removes all sockets from the group, and try again.  Once the
 * family owns the group, a socket needs the rights of COMPAT_MCAST_FLAGS to join it.
 */
static int __init netlink_register(void)
{
	int tries, err;

	for (tries = 0; tries < REGISTER_TRIES; tries++) {
		err = genl_register_family(&family);
		if (err || !genl_has_listeners(&family, &init_net, FAMILY_GROUP_ALERTS))
			return err;
		genl_unregister_family(&family);
	}
	pr_err("another program joins the group of alerts before the family owns it\n");
	return -EBUSY;
}

#endif /* TASKRT_HAVE_BROADCAST_FILTERED */

int __init netlink_init(u64 max_threads)
{
	int err = arm_init();

	if (err)
		return err;
	info_init(max_threads);
	family.ops = ops;
	family.n_ops = ARRAY_SIZE(ops);
	err = netlink_register();
	if (err)
		arm_exit();
	return err;
}

void netlink_exit(void)
{
	genl_unregister_family(&family);
	arm_exit();
}
