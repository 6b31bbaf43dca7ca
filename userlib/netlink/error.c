// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Errors of netlink requests.  libnl has an error space of its own, into which it folds
 * many of the kernel's errnos (ENODATA and ESRCH are missing), and it does not pass on
 * the text of an extended acknowledgment.  So the kernel's error message is parsed
 * here.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>

#include "netlink/error.h"

static const int nl_errnos[] = {
	[NLE_INTR]		= EINTR,
	[NLE_BAD_SOCK]		= EBADF,
	[NLE_AGAIN]		= EAGAIN,
	[NLE_NOMEM]		= ENOMEM,
	[NLE_EXIST]		= EEXIST,
	[NLE_INVAL]		= EINVAL,
	[NLE_RANGE]		= ERANGE,
	[NLE_MSGSIZE]		= EMSGSIZE,
	[NLE_OPNOTSUPP]		= EOPNOTSUPP,
	[NLE_AF_NOSUPPORT]	= EAFNOSUPPORT,
	[NLE_OBJ_NOTFOUND]	= ENOENT,
	[NLE_NOATTR]		= EBADMSG,
	[NLE_MISSING_ATTR]	= EBADMSG,
	[NLE_SEQ_MISMATCH]	= EBADMSG,
	[NLE_MSG_OVERFLOW]	= ENOBUFS,
	[NLE_MSG_TRUNC]		= EMSGSIZE,
	[NLE_NOADDR]		= EADDRNOTAVAIL,
	[NLE_MSG_TOOSHORT]	= EBADMSG,
	[NLE_OBJ_MISMATCH]	= EPROTO,
	[NLE_BUSY]		= EBUSY,
	[NLE_PROTO_MISMATCH]	= EPROTONOSUPPORT,
	[NLE_NOACCESS]		= EACCES,
	[NLE_PERM]		= EPERM,
	[NLE_PARSE_ERR]		= EBADMSG,
	[NLE_NODEV]		= ENODEV,
	[NLE_DUMP_INTR]		= EINTR,
};

int taskrt_error_from_nl(int nl_error)
{
	unsigned int number = nl_error < 0 ? -nl_error : nl_error;

	if (!number)
		return 0;
	if (number < sizeof(nl_errnos) / sizeof(nl_errnos[0]) && nl_errnos[number])
		return -nl_errnos[number];
	return -EIO;
}

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
