/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXCHANGE_H
#define TASKRT_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "connection.h"

/*
 * Send message on socket, give every reply to fn until the kernel's verdict
 * has come, free message.  text receives the kernel's words on an error.
 * *clean is false when something may still be under way on the socket.
 * Return: as taskrt_request(), without its -ENODEV.
 */
int taskrt_exchange(struct nl_sock *socket, struct nl_msg *message,
		    taskrt_reply_fn fn, void *arg, char *text, size_t size,
		    bool *clean);

#endif /* TASKRT_EXCHANGE_H */
