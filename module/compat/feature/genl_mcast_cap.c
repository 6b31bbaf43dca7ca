// SPDX-License-Identifier: GPL-2.0-only
/* 6.7 and stable 6.1 introduced flags for multicast groups: 44ec98ea5ea9. */
#include <net/genetlink.h>

static const struct genl_multicast_group group = {
	.name = "group",
#ifndef TASKRT_CONTROL
	.flags = GENL_MCAST_CAP_NET_ADMIN,
#else
	.flags = GENL_UNS_ADMIN_PERM,
#endif
};

const void *feature(void);
const void *feature(void)
{
	return &group;
}
