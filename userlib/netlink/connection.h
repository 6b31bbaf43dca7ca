/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_CONNECTION_H
#define TASKRT_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netlink/error.h"
#include "netlink/exchange.h"

struct nl_msg;
struct nl_sock;
struct nlmsghdr;
struct taskrt_info_items;

struct taskrt {
	struct nl_sock *socket;	/* NULL: connect at the next request */
	uint16_t family;	/* 0: ask for it at the next request */
	bool no_groups;		/* the module is older than groups, as a request showed */
	uint32_t alerts_group;	/* had with the family; 0: the module is older than alerts */
	struct taskrt_info_items *info_items;	/* hooks and names of the last INFO; NULL: none */
	struct taskrt_error_detail error;
};

/*
 * Start a call: forget the last error's text, and have a socket and the
 * family's number, which may be another one since the last call.
 * Return: 0, or a negative errno: -ENOENT if the module is not loaded.
 */
int taskrt_connection_prepare(struct taskrt *handle);

/* The same for a handle that was open before: -ENODEV if the module has gone. */
int taskrt_connection_begin(struct taskrt *handle);

/* Free what the handle holds, but not itself. */
void taskrt_connection_release(struct taskrt *handle);

/*
 * A message to the family, for taskrt_connection_request(), with room for attributes.
 * flags: NLM_F_DUMP, or NLM_F_ACK if there is no other answer to it.
 * NULL: no memory.
 */
struct nl_msg *taskrt_connection_message(struct taskrt *handle, uint8_t command, int flags,
					 size_t room);

/*
 * Send message, give every reply to fn, free message.  However it ends, the
 * handle is fit for the next request.
 * Return: 0, the kernel's verdict, or what fn returned; -ENODEV if the module
 * went away since taskrt_connection_prepare() found it; -EINTR if a dump is not consistent.
 */
int taskrt_connection_request(struct taskrt *handle, struct nl_msg *message,
			      taskrt_reply_fn fn, void *arg);

/* Refuse without asking: the words for it.  Return: err. */
int taskrt_connection_refuse(struct taskrt *handle, int err, const char *text);

/* End a call: give an error a text, if the kernel did not.  Return: err. */
int taskrt_connection_finish(struct taskrt *handle, int err);

#endif /* TASKRT_CONNECTION_H */
