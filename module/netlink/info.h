/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_INFO_H
#define TASKRT_INFO_H

#include <net/genetlink.h>

/* info_init() - set the value of max_threads that INFO reports */
void info_init(u64 max_threads);

/*
 * info_put() - add the nest INFO: what this module measures on this kernel
 * @skb, @asker: the request; INFO says whether its namespaces are the initial ones.  For
 *	a requester with the right, the records are counted one by one: taskrt diagnose
 *	compares that with the running counts.
 *
 * Context: may sleep.
 * Return: 0 or -EMSGSIZE.
 */
int info_put(struct sk_buff *reply, const struct sk_buff *skb, struct genl_info *asker);

#endif /* TASKRT_INFO_H */
