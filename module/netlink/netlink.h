/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_NETLINK_H
#define TASKRT_NETLINK_H

#include <linux/types.h>

/*
 * netlink_init() registers the family: call it when the tables and accounting are ready.
 * netlink_exit() unregisters it: call it after accounting has ended.
 * @max_threads: the parameter, for INFO
 */
int netlink_init(u64 max_threads);
void netlink_exit(void);

#endif /* TASKRT_NETLINK_H */
