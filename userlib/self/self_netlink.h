/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_SELF_NETLINK_H
#define TASKRT_SELF_NETLINK_H

#include <stddef.h>
#include <stdint.h>

struct taskrt_self;
struct taskrt_snapshot;
struct taskrt_reading;

/* taskrt_self_open() without the device: prepare to read the calling thread over netlink. */
int taskrt_self_netlink_open(struct taskrt_self *self);

/* The same as the reads of a page.  Return: -ECHILD in a child after fork(2). */
int taskrt_self_netlink_read(struct taskrt_self *self, struct taskrt_snapshot *now);
int taskrt_self_netlink_get(struct taskrt_self *self, uint32_t groups,
			    struct taskrt_reading *reading, size_t size);

#endif /* TASKRT_SELF_NETLINK_H */
