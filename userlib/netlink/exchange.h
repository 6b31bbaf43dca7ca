/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXCHANGE_H
#define TASKRT_EXCHANGE_H

#include <stdbool.h>

struct nl_msg;
struct nl_sock;
struct nlmsghdr;
struct taskrt_error_detail;

/* One reply.  Not 0: read no more, and that is the result of the request. */
typedef int (*taskrt_reply_fn)(const struct nlmsghdr *header, void *arg);

/*
 * Send message on socket, give every reply to fn until the kernel's verdict
 * has come, free message.  The verdict is an acknowledgement or the end of a
 * dump, where message asks for it, else the reply itself; an error is always told.
 * *clean is false when something may still be under way on the socket.
 * Return: 0, the kernel's verdict, or what fn returned; -EINTR if a dump is not consistent.
 */
int taskrt_exchange(struct nl_sock *socket, struct nl_msg *message,
		    taskrt_reply_fn fn, void *arg, struct taskrt_error_detail *detail,
		    bool *clean);

#endif /* TASKRT_EXCHANGE_H */
