/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_ERROR_H
#define TASKRT_ERROR_H

#include <stdint.h>

struct nlmsghdr;

/* What an extended acknowledgment says besides the number of the error. */
struct taskrt_error_detail {
	char text[256];		/* "": there is none */
	uint16_t refused;	/* attribute of the request that the kernel points at; 0: none */
};

void taskrt_error_clear(struct taskrt_error_detail *detail);

/*
 * Read the result of @request from an NLMSG_ERROR or NLMSG_DONE message.  If the message
 * has more to say, it goes to *detail, which stays unchanged otherwise.
 * Return: 0 or a negative errno.
 */
int taskrt_error_from_ack(const struct nlmsghdr *header, const struct nlmsghdr *request,
			  struct taskrt_error_detail *detail);

#endif /* TASKRT_ERROR_H */
