/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_RECEIVE_QUEUE_H
#define TASKRT_RECEIVE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;
struct taskrt_error_detail;

/* More than the module puts into one EXIT. */
#define TASKRT_RECEIVE_QUEUE_SIZE	65536

/* A message that was set aside. */
struct taskrt_queued_message;

/* What comes to a socket without being asked for.  Only _wait and _answer wait. */
struct taskrt_receive_queue {
	int fd;
	uint16_t family;
	uint8_t command;		/* of the notifications that it is for */
	bool gone;			/* the module has left this socket */
	bool overrun;			/* something found the socket full */
	struct taskrt_queued_message *oldest, **newest;	/* notifications that came with an answer */
	struct taskrt_queued_message *reading;	/* the last one of these handed out */
	struct nlmsghdr *rest;		/* in buffer, not yet handed out */
	int left;
	_Alignas(8) char buffer[TASKRT_RECEIVE_QUEUE_SIZE];
};

void taskrt_receive_queue_init(struct taskrt_receive_queue *queue, int fd, uint16_t family,
			       uint8_t command);
void taskrt_receive_queue_clear(struct taskrt_receive_queue *queue);

/*
 * The next notification, valid until the next call.
 * Return: 1; 0: there is none now; -ENODEV: and there will be none; -EBADMSG:
 * what came makes no sense and was skipped; other errors of recvmsg(2).
 */
int taskrt_receive_queue_next(struct taskrt_receive_queue *queue, const struct nlmsghdr **header);

/*
 * When a time-out of so many milliseconds from now ends, for
 * taskrt_receive_queue_wait(); negative: never.
 */
int64_t taskrt_receive_queue_until(int timeout_ms);

/*
 * Wait until something came.
 * Return: 1; 0: nothing in time; -EINTR: a signal came first; other errors of poll(2).
 */
int taskrt_receive_queue_wait(const struct taskrt_receive_queue *queue, int64_t until_ms);

/*
 * The answer to request, which was sent.  *reply, if there was one before the
 * verdict, is the caller's to free.  Notifications are set aside.
 * Return: 0 or the kernel's verdict, and what it said goes to words; -ENOBUFS: the
 * socket was full and the answer is lost.
 */
int taskrt_receive_queue_answer(struct taskrt_receive_queue *queue, const struct nlmsghdr *request,
				struct nlmsghdr **reply, struct taskrt_error_detail *detail);

#endif /* TASKRT_RECEIVE_QUEUE_H */
