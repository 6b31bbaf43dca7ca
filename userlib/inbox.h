/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_INBOX_H
#define TASKRT_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;

/* More than the module puts into one EXIT. */
#define TASKRT_INBOX_SIZE	65536

/* A message that was set aside. */
struct taskrt_kept;

/* What comes to a socket without being asked for.  Nothing here waits but taskrt_inbox_answer(). */
struct taskrt_inbox {
	int fd;
	uint16_t family;
	uint8_t command;		/* of the notifications that it is for */
	bool gone;			/* the module has left this socket */
	bool overrun;			/* something found the socket full */
	struct taskrt_kept *oldest, **newest;	/* notifications that came with an answer */
	struct taskrt_kept *reading;	/* the last one of these handed out */
	struct nlmsghdr *rest;		/* in buffer, not yet handed out */
	int left;
	_Alignas(8) char buffer[TASKRT_INBOX_SIZE];
};

void taskrt_inbox_init(struct taskrt_inbox *inbox, int fd, uint16_t family, uint8_t command);
void taskrt_inbox_clear(struct taskrt_inbox *inbox);

/*
 * The next notification, valid until the next call.
 * Return: 1; 0: there is none now; -ENODEV: and there will be none; -EBADMSG:
 * what came makes no sense and was skipped; other errors of recvmsg(2).
 */
int taskrt_inbox_next(struct taskrt_inbox *inbox, const struct nlmsghdr **header);

/*
 * The answer to the request with this sequence number.  *reply, if there was
 * one before the verdict, is the caller's to free.  Notifications are set aside.
 * Return: 0 or the kernel's verdict, whose text goes to text; -ENOBUFS: the
 * socket was full and the answer is lost.
 */
int taskrt_inbox_answer(struct taskrt_inbox *inbox, uint32_t seq,
			struct nlmsghdr **reply, char *text, size_t size);

#endif /* TASKRT_INBOX_H */
