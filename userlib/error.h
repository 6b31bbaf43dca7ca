/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_ERROR_H
#define TASKRT_ERROR_H

#include <stddef.h>

struct nlmsghdr;

/* A negative error number of libnl's own as a negative errno. */
int taskrt_errno_from_nl(int nl_error);

/*
 * The kernel's verdict in an NLMSG_ERROR or NLMSG_DONE message: 0 or a negative
 * errno.  Its words, if there are any, go to text; else text stays as it is.
 */
int taskrt_verdict(const struct nlmsghdr *header, char *text, size_t size);

#endif /* TASKRT_ERROR_H */
