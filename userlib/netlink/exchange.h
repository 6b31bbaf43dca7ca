/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXCHANGE_H
#define TASKRT_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

struct nl_sock;
struct nlmsghdr;
struct taskrt_error_detail;
struct taskrt_message;

/* Called with each reply.  Any result but 0 stops the exchange and becomes its result. */
typedef int (*taskrt_reply_fn)(const struct nlmsghdr *header, void *arg);

/* Where replies are received, aligned like a struct nlmsghdr. */
struct taskrt_exchange_buffer {
	void *bytes;
	size_t size;
};

/* Number @message and send it.  Return: 0; -EMSGSIZE: it was full; an error of send(2). */
int taskrt_exchange_send(struct nl_sock *socket, struct taskrt_message *message);

/*
 * Send @message on @socket and call @fn with each reply until the result has been
 * received.  The result is an acknowledgment or the end of a dump if @message
 * requests one, and the reply itself otherwise; the kernel always reports errors.
 * *clean is set to false if messages of this exchange may still arrive on the socket.
 * Return: 0, the kernel's error, or what @fn returned; -EINTR if a dump is inconsistent.
 */
int taskrt_exchange(struct nl_sock *socket, const struct taskrt_exchange_buffer *buffer,
		    struct taskrt_message *message, taskrt_reply_fn fn, void *arg,
		    struct taskrt_error_detail *detail, bool *clean);

#endif /* TASKRT_EXCHANGE_H */
