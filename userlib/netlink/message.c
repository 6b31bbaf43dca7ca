// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "netlink/message.h"

void taskrt_message_init(struct taskrt_message *message, uint16_t family, uint8_t command,
			 uint8_t version, int flags)
{
	message->header = (struct nlmsghdr){
		.nlmsg_len = offsetof(struct taskrt_message, attributes),
		.nlmsg_type = family,
		.nlmsg_flags = NLM_F_REQUEST | flags,
	};
	message->genl = (struct genlmsghdr){ .cmd = command, .version = version };
	message->full = false;
}

void taskrt_message_put_string(struct taskrt_message *message, uint16_t type, const char *text)
{
	taskrt_message_put(message, type, text, strlen(text) + 1);
}

size_t taskrt_message_nest(struct taskrt_message *message, uint16_t type)
{
	size_t nest = message->header.nlmsg_len;

	taskrt_message_put(message, NLA_F_NESTED | type, NULL, 0);
	return nest;
}

void taskrt_message_nest_end(struct taskrt_message *message, size_t nest)
{
	const uint16_t length = message->header.nlmsg_len - nest;

	if (!message->full)
		memcpy((char *)message + nest + offsetof(struct nlattr, nla_len), &length,
		       sizeof(length));
}
