// SPDX-License-Identifier: GPL-2.0-only
#include <linux/taskrt.h>
#include <net/netlink.h>
#include "netlink/sites.h"

/* A name that is longer is truncated. */
#define SITE_NAME_SIZE	64

static int sites_put_one(struct sk_buff *skb, u32 state, u32 site)
{
	struct nlattr *nest = nla_nest_start(skb, TASKRT_SITES_A_SITE);
	char name[SITE_NAME_SIZE];

	if (!nest)
		return -EMSGSIZE;
	site_name(site, name, sizeof(name));
	if (nla_put_u32(skb, TASKRT_SITE_A_STATE, state) ||
	    nla_put_string(skb, TASKRT_SITE_A_NAME, name))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int sites_put(struct sk_buff *skb, const struct stats_room *room, const struct totals *t,
	      const struct stats_view *view)
{
	struct nlattr *nest;
	int err = 0, i;

	if (!(view->groups & TASKRT_GROUP_SITES))
		return 0;
	/* Empty if none is known: an answer without it is one of a module that has none. */
	nest = nla_nest_start(skb, TASKRT_AGGR_A_SITES);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < NR_STATES && !err; i++)
		if (t->sites[i] && view->measured->states & BIT(i))
			err = sites_put_one(skb, i, t->sites[i]);
	nla_nest_end(skb, nest);
	nla_nest_end(skb, room->nest);
	return err;
}

size_t sites_size(const struct stats_view *view)
{
	const size_t one = nla_total_size(nla_total_size(sizeof(u32)) +
					  nla_total_size(SITE_NAME_SIZE));

	return view->groups & TASKRT_GROUP_SITES ? nla_total_size(NR_SITES * one) : 0;
}
