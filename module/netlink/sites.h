/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a thread or process was in its longest waits, as a nest of an aggregate. */
#ifndef TASKRT_SITES_H
#define TASKRT_SITES_H

#include <linux/skbuff.h>
#include "netlink/stats.h"

/*
 * sites_put() - extend the aggregate that was put last by the sites of a sample
 * @room: of that aggregate
 *
 * Nothing is added if the view does not request them.
 * Return: 0 or -EMSGSIZE.
 */
int sites_put(struct sk_buff *skb, const struct stats_room *room, const struct totals *t,
	      const struct stats_view *view);

/* Their maximum size in a message, in bytes. */
size_t sites_size(const struct stats_view *view);

#endif /* TASKRT_SITES_H */
