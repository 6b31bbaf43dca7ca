/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXCHANGE_H
#define TASKRT_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;
struct taskrt_error_detail;
struct taskrt_message;

/* Called with each reply.  Any result but 0 stops the exchange and becomes its result. */
typedef int (*taskrt_reply_fn)(const struct nlmsghdr *header, void *arg);

/* A socket that is connected to the kernel, and where its replies are received. */
struct taskrt_channel {
	int fd;
	uint32_t sequence;	/* of the last request; the first is random */
	void *buffer;		/* aligned like a struct nlmsghdr */
	size_t size;
};

/*
 * Number @message and send it.
 * Return: 0; -ENOMEM; -EMSGSIZE: it was full; another error of send(2).
 */
int taskrt_exchange_send(struct taskrt_channel *channel, struct taskrt_message *message);

/*
 * Send @message and call @fn with each reply until the result has been
 * received.  The result is an acknowledgment or the end of a dump if @message
 * requests one, and the reply itself otherwise; the kernel always reports errors.
 * *clean is set to false if messages of this exchange may still arrive on the socket.
 * Return: 0, the kernel's error, or what @fn returned; -EINTR if a dump is inconsistent.
 */
int taskrt_exchange(struct taskrt_channel *channel, struct taskrt_message *message,
		    taskrt_reply_fn fn, void *arg, struct taskrt_error_detail *detail,
		    bool *clean);

#endif /* TASKRT_EXCHANGE_H */
