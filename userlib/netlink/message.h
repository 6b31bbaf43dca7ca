/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A request to a generic-netlink family.  It lies on the caller's stack, because a query
 * took 1,500 instructions more with one that libnl allocated.
 */
#ifndef TASKRT_MESSAGE_H
#define TASKRT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "internal.h"

/* A list of CPUs is the longest attribute, and no command has ten others. */
#define TASKRT_MESSAGE_ROOM	(TASKRT_CPUMASK_MAX + 256)

struct taskrt_message {
	struct nlmsghdr header;
	struct genlmsghdr genl;
	char attributes[TASKRT_MESSAGE_ROOM];
	bool full;		/* an attribute had no room, so the message cannot be sent */
};

_Static_assert(offsetof(struct taskrt_message, attributes) == NLMSG_HDRLEN + GENL_HDRLEN,
	       "attributes begin behind the headers");

void taskrt_message_init(struct taskrt_message *message, uint16_t family, uint8_t command,
			 uint8_t version, int flags);

/*
 * The length of a message is a multiple of NLMSG_ALIGNTO at any time.  Inline, because of
 * an attribute of constant length little is left.
 */
static inline void taskrt_message_put(struct taskrt_message *message, uint16_t type,
				      const void *data, size_t length)
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

static inline void taskrt_message_put_u32(struct taskrt_message *message, uint16_t type,
					  uint32_t value)
{
	taskrt_message_put(message, type, &value, sizeof(value));
}

static inline void taskrt_message_put_u64(struct taskrt_message *message, uint16_t type,
					  uint64_t value)
{
	taskrt_message_put(message, type, &value, sizeof(value));
}

static inline void taskrt_message_put_flag(struct taskrt_message *message, uint16_t type)
{
	taskrt_message_put(message, type, NULL, 0);
}

void taskrt_message_put_string(struct taskrt_message *message, uint16_t type, const char *text);

/* Start an attribute that contains the attributes put until its end.  Return: for the end. */
size_t taskrt_message_nest(struct taskrt_message *message, uint16_t type);
void taskrt_message_nest_end(struct taskrt_message *message, size_t nest);

#endif /* TASKRT_MESSAGE_H */
