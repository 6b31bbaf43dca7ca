// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "group.h"

struct group {
	int wanted;
	uint32_t id;
};

static void in_group(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct group *group = arg;

	if (attr->nla_type == CTRL_ATTR_MCAST_GRP_NAME)
		group->wanted = !strncmp(payload, TASKRT_GENL_ALERTS, length);
	if (attr->nla_type == CTRL_ATTR_MCAST_GRP_ID && length == sizeof(group->id))
		memcpy(&group->id, payload, length);
}

static void each_group(const struct nlattr *attr, const void *payload, size_t length, void *arg)
{
	struct group group = { 0 };

	(void)attr;
	raw_walk(payload, length, in_group, &group);
	if (group.wanted)
		*(uint32_t *)arg = group.id;
}

static uint32_t find_group(const struct raw *raw)
{
	struct raw control = *raw;
	struct raw_message message;
	struct raw_answer answer;
	const void *groups;
	uint32_t id = 0;
	size_t length;

	control.family = GENL_ID_CTRL;
	control.told = NULL;
	raw_begin(&control, &message, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	raw_put(&message, CTRL_ATTR_FAMILY_NAME, TASKRT_GENL_NAME, sizeof(TASKRT_GENL_NAME));
	raw_ask(&control, &message, &answer, NULL, NULL);
	groups = raw_find(&answer, CTRL_ATTR_MCAST_GROUPS, &length);
	if (groups)
		raw_walk(groups, length, each_group, &id);
	return id;
}

int group_join(struct raw *raw)
{
	uint32_t group = find_group(raw);

	if (!group)
		return -ENOENT;
	if (setsockopt(raw->fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		return -errno;
	return 0;
}
