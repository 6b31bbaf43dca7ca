/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_NETLINK_H
#define TASKRT_NETLINK_H

/* Register the family last at module load, and unregister it first at unload. */
int netlink_init(void);
void netlink_exit(void);

#endif /* TASKRT_NETLINK_H */
