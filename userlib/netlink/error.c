// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Errors of netlink requests.  The kernel's error message is parsed here, because libnl
 * folds many errnos into one of its own errors (ENODATA and ESRCH are missing), and does
 * not pass on the text of an extended acknowledgment.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "netlink/error.h"

/*
 * The number of bytes before the attributes.  They are an int and, in an NLMSG_ERROR,
 * the header of the request, followed by the request itself unless the socket has set
 * NETLINK_CAP_ACK.
 */
static size_t attributes_offset(const struct nlmsghdr *header)
{
	const struct nlmsgerr *error = NLMSG_DATA(header);
	size_t request;

	if (header->nlmsg_type == NLMSG_DONE)
		return NLMSG_ALIGN(sizeof(int));
	if (header->nlmsg_flags & NLM_F_CAPPED)
		return sizeof(*error);
	request = error->msg.nlmsg_len;
	if (request < sizeof(error->msg))
		request = sizeof(error->msg);
	return sizeof(error->error) + NLMSG_ALIGN(request);
}

/* The attribute of the request that is at @offset, where the kernel points, or encloses it. */
static uint16_t attribute_at(const struct nlmsghdr *request, uint32_t offset)
{
	const char *at = (const char *)request + offset;
	const struct nlattr *attr = nlmsg_attrdata(request, GENL_HDRLEN);
	int left = nlmsg_attrlen(request, GENL_HDRLEN);

	if (offset >= request->nlmsg_len)
		return 0;
	for (; nla_ok(attr, left); attr = nla_next(attr, &left))
		if (at >= (const char *)attr && at < (const char *)attr + attr->nla_len)
			return nla_type(attr);
	return 0;
}

static void read_detail(const struct nlmsghdr *header, const struct nlmsghdr *request,
			struct taskrt_error_detail *detail)
{
	size_t length = header->nlmsg_len - NLMSG_HDRLEN;
	size_t offset = attributes_offset(header);
	const struct nlattr *attrs, *attr;
	uint32_t at;

	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS) || offset >= length)
		return;
	attrs = (const struct nlattr *)((const char *)NLMSG_DATA(header) + offset);
	length -= offset;
	attr = nla_find(attrs, length, NLMSGERR_ATTR_MSG);
	if (attr && nla_len(attr) > 0)
		snprintf(detail->text, sizeof(detail->text), "%.*s", nla_len(attr),
			 (const char *)nla_data(attr));
	attr = nla_find(attrs, length, NLMSGERR_ATTR_OFFS);
	if (attr && nla_len(attr) == sizeof(at)) {
		memcpy(&at, nla_data(attr), sizeof(at));
		detail->refused = attribute_at(request, at);
	}
}

void taskrt_error_clear(struct taskrt_error_detail *detail)
{
	detail->text[0] = '\0';
	detail->refused = 0;
}

int taskrt_error_from_ack(const struct nlmsghdr *header, const struct nlmsghdr *request,
			  struct taskrt_error_detail *detail)
{
	size_t length = header->nlmsg_len - NLMSG_HDRLEN;
	size_t least = header->nlmsg_type == NLMSG_DONE ? sizeof(int) :
							  sizeof(struct nlmsgerr);
	int error;

	/* Some families end a dump with an empty NLMSG_DONE. */
	if (header->nlmsg_type == NLMSG_DONE && !length)
		return 0;
	if (header->nlmsg_len < NLMSG_HDRLEN || length < least)
		return -EBADMSG;
	memcpy(&error, NLMSG_DATA(header), sizeof(error));
	read_detail(header, request, detail);
	return error < 0 ? error : 0;
}
