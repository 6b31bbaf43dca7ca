/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attributes of a message, as netlink(7) lays them out.  libnl has functions for this too,
 * but an answer has ten attributes, and each of them takes five calls.
 */
#ifndef TASKRT_ATTRIBUTE_H
#define TASKRT_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

struct taskrt_attributes {
	const struct nlattr *at;
	int left;		/* bytes */
};

/* Those behind the headers of a generic-netlink message. */
static inline struct taskrt_attributes taskrt_attributes_of(const struct nlmsghdr *header)
{
	const int headers = NLMSG_HDRLEN + GENL_HDRLEN;

	return (struct taskrt_attributes){
		(const struct nlattr *)((const char *)header + headers),
		(int)header->nlmsg_len - headers,
	};
}

static inline int taskrt_attribute_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline const void *taskrt_attribute_data(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static inline size_t taskrt_attribute_length(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline struct taskrt_attributes taskrt_attributes_in(const struct nlattr *nest)
{
	return (struct taskrt_attributes){
		taskrt_attribute_data(nest), taskrt_attribute_length(nest),
	};
}

/* Return: the next attribute; NULL if there is none, or what follows is damaged. */
static inline const struct nlattr *taskrt_attribute_next(struct taskrt_attributes *rest)
{
	const struct nlattr *attr = rest->at;
	int length;

	if (rest->left < (int)NLA_HDRLEN || attr->nla_len < NLA_HDRLEN ||
	    attr->nla_len > rest->left)
		return NULL;
	length = NLA_ALIGN(attr->nla_len);
	rest->at = (const struct nlattr *)((const char *)attr + length);
	rest->left -= length;
	return attr;
}

/* Return: the first attribute of this type, or NULL. */
static inline const struct nlattr *taskrt_attribute_find(struct taskrt_attributes all, int type)
{
	const struct nlattr *attr;

	while ((attr = taskrt_attribute_next(&all)))
		if (taskrt_attribute_type(attr) == type)
			break;
	return attr;
}

#endif /* TASKRT_ATTRIBUTE_H */
