/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_CONNECTION_H
#define TASKRT_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netlink/error.h"
#include "netlink/exchange.h"

struct nl_sock;
struct nlmsghdr;
struct taskrt_message;
struct taskrt_info_items;

struct taskrt {
	bool *mine;		/* a child reads false here; NULL: it is just being opened */
	struct nl_sock *socket;	/* NULL: the next request connects */
	struct taskrt_channel channel;	/* of the socket; the buffer stays when that is lost */
	uint16_t family;	/* 0: the next request resolves it */
	uint32_t alerts_group;	/* resolved with the family; 0: the module is older than alerts */
	struct taskrt_info_items *info_items;	/* hooks and names of the last INFO; NULL: none */
	struct taskrt_error_detail error;
};

/*
 * A child after fork(2) has a copy of the handle, but shares its socket, on which each would
 * receive the answers to the other.
 * Return: 0; -ECHILD: this is not the process that opened the handle.
 */
int taskrt_connection_check(struct taskrt *handle);

/*
 * Start a call.  Clear the error of the last one, and make sure that there are a socket
 * and the number of the family, which may have changed since the last call.
 * Return: 0; -ENOENT: the module is not loaded; -ECHILD; another negative errno.
 */
int taskrt_connection_prepare(struct taskrt *handle);

/* The same for a handle that has been open before.  Return: -ENODEV if the module was removed. */
int taskrt_connection_begin(struct taskrt *handle);

/* Free the memory for replies, which only taskrt_connection_request() needs. */
void taskrt_connection_free_buffer(struct taskrt *handle);

/* Free what the handle owns, but not the handle itself. */
void taskrt_connection_release(struct taskrt *handle);

/*
 * Start a message to the family for taskrt_connection_request().  @flags is NLM_F_DUMP, or
 * NLM_F_ACK if the command has no reply of its own.
 */
void taskrt_connection_message(const struct taskrt *handle, struct taskrt_message *message,
			       uint8_t command, int flags);

/*
 * Send @message and call @fn with each reply.  Whatever the result, the handle can be
 * used for the next request.
 * Return: 0, the kernel's error, or what @fn returned; -ENODEV if the module was removed
 * since taskrt_connection_prepare(); -EINTR if a dump is inconsistent.
 */
int taskrt_connection_request(struct taskrt *handle, struct taskrt_message *message,
			      taskrt_reply_fn fn, void *arg);

/* Refuse a call with a text, without a request.  Return: @err. */
int taskrt_connection_refuse(struct taskrt *handle, int err, const char *text);

/*
 * End a call.  If @err is an error for which the kernel sent no text, set the text of strerror(3).
 * Return: @err.
 */
int taskrt_connection_finish(struct taskrt *handle, int err);

#endif /* TASKRT_CONNECTION_H */
