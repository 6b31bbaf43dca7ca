/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXIT_MESSAGE_H
#define TASKRT_EXIT_MESSAGE_H

#include <stdint.h>

struct nlattr;
struct nlmsghdr;
struct taskrt_exit;

/* One EXIT message, taken apart in place. */
struct taskrt_exit_message {
	const struct nlattr *attr;
	int left;
	uint64_t seq;		/* as TASKRT_A_SEQ */
};

/* Return: 0, -EBADMSG. */
int taskrt_exit_message_begin(struct taskrt_exit_message *message, const struct nlmsghdr *header);

/*
 * The next record: its type, cpu and reading; the others read 0 and are the caller's.
 * Return: 1; 0: there is none; -EBADMSG: what follows makes no sense.
 */
int taskrt_exit_message_next(struct taskrt_exit_message *message, struct taskrt_exit *exit);

#endif /* TASKRT_EXIT_MESSAGE_H */
