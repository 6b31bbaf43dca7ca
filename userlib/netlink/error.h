/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_ERROR_H
#define TASKRT_ERROR_H

#include <stdint.h>

struct nlmsghdr;

/* What is said of an error beside its number. */
struct taskrt_error_detail {
	char text[256];		/* "": nothing */
	uint16_t refused;	/* attribute of the request that the kernel points at; 0: none */
};

void taskrt_error_clear(struct taskrt_error_detail *detail);

/* A negative error number of libnl's own as a negative errno. */
int taskrt_error_from_nl(int nl_error);

/*
 * The kernel's verdict in an NLMSG_ERROR or NLMSG_DONE message on request: 0 or a
 * negative errno.  What it says beside goes to words; else these stay as they are.
 */
int taskrt_error_from_ack(const struct nlmsghdr *header, const struct nlmsghdr *request,
			  struct taskrt_error_detail *detail);

#endif /* TASKRT_ERROR_H */
