/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_NETLINK_H
#define TASKRT_NETLINK_H

/* The family is the last thing to come and the first to go. */
int netlink_init(void);
void netlink_exit(void);

#endif /* TASKRT_NETLINK_H */
