/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_ALERT_READ_H
#define TASKRT_ALERT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;
struct taskrt_alert;
struct taskrt_alert_part;

/* Which part of an alert a message is.  Each message of an alert says that. */
struct taskrt_alert_place {
	uint64_t seq;
	bool first;
	bool last;
};

/* Return: 0, -EBADMSG. */
int taskrt_alert_place(const struct nlmsghdr *header, struct taskrt_alert_place *place);

/* An alert being assembled: copies of its messages, and the arrays read from them. */
struct taskrt_alert_parts {
	uint64_t seq;
	size_t nr;
	struct taskrt_alert_part *oldest, **newest;
	struct taskrt_alert_event *events;
	uint32_t nr_events;		/* read so far */
	const char **frames;
};

/* Drop all messages and arrays, before another alert or the end. */
void taskrt_alert_clear(struct taskrt_alert_parts *parts);

/* Return: 0, -ENOMEM. */
int taskrt_alert_add(struct taskrt_alert_parts *parts, const struct nlmsghdr *header);

/*
 * Fill *alert, except gap, and the arrays of @parts, after the last message was added.
 * Return: 0, -EBADMSG, -ENOMEM.
 */
int taskrt_alert_read(struct taskrt_alert_parts *parts, struct taskrt_alert *alert);

#endif /* TASKRT_ALERT_READ_H */
