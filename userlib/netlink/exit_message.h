/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXIT_MESSAGE_H
#define TASKRT_EXIT_MESSAGE_H

#include <stdint.h>

#include "netlink/attribute.h"

struct taskrt_exit;

/* One EXIT message, parsed in place. */
struct taskrt_exit_message {
	struct taskrt_attributes rest;
	uint64_t seq;		/* TASKRT_A_SEQ */
};

/* Return: 0, -EBADMSG. */
int taskrt_exit_message_begin(struct taskrt_exit_message *message, const struct nlmsghdr *header);

/*
 * Read the type, cpu and reading of the next record.  All other fields read 0, and the
 * caller sets them.
 * Return: 1; 0: there is none; -EBADMSG: the rest is invalid.
 */
int taskrt_exit_message_next(struct taskrt_exit_message *message, struct taskrt_exit *exit);

#endif /* TASKRT_EXIT_MESSAGE_H */
