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

/* The length of a message is a multiple of NLMSG_ALIGNTO at any time. */
void taskrt_message_put(struct taskrt_message *message, uint16_t type, const void *data,
			size_t length)
{
	size_t at = message->header.nlmsg_len - offsetof(struct taskrt_message, attributes);
	size_t padded = NLA_HDRLEN + NLA_ALIGN(length);
	struct nlattr attr = { .nla_len = NLA_HDRLEN + length, .nla_type = type };

	if (padded > sizeof(message->attributes) - at) {
		message->full = true;
		return;
	}
	/* Padding is sent, so it is not left to chance. */
	memset(&message->attributes[at + padded - NLA_ALIGNTO], 0, NLA_ALIGNTO);
	memcpy(&message->attributes[at], &attr, sizeof(attr));
	if (length)
		memcpy(&message->attributes[at + NLA_HDRLEN], data, length);
	message->header.nlmsg_len += padded;
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
