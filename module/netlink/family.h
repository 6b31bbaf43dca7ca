/* SPDX-License-Identifier: GPL-2.0-only */
/* The generic netlink family, which all messages need.  netlink.c adds the commands. */
#ifndef TASKRT_FAMILY_H
#define TASKRT_FAMILY_H

#include <net/genetlink.h>

extern struct genl_family family;

enum family_group {
	FAMILY_GROUP_ALERTS,
};

#endif /* TASKRT_FAMILY_H */
