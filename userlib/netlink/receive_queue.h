/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_RECEIVE_QUEUE_H
#define TASKRT_RECEIVE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;
struct taskrt_error_detail;

/* The size of the buffer, which exceeds the longest EXIT of the module. */
#define TASKRT_RECEIVE_QUEUE_SIZE	65536

/* A notification that was queued while a reply was awaited. */
struct taskrt_queued_message;

/* The notifications that arrive on a socket.  Only _wait and _answer wait. */
struct taskrt_receive_queue {
	int fd;
	uint16_t family;
	uint8_t command;		/* of the notifications to receive */
	bool gone;			/* the module has been removed */
	bool overrun;			/* an error said that the socket was full */
	struct taskrt_queued_message *oldest, **newest;	/* that arrived before a reply */
	struct taskrt_queued_message *reading;	/* of these, the one that was returned last */
	struct nlmsghdr *rest;		/* in buffer, not returned yet */
	int left;
	_Alignas(8) char buffer[TASKRT_RECEIVE_QUEUE_SIZE];
};

void taskrt_receive_queue_init(struct taskrt_receive_queue *queue, int fd, uint16_t family,
			       uint8_t command);
void taskrt_receive_queue_clear(struct taskrt_receive_queue *queue);

/*
 * Get the next notification, which is valid until the next call.
 * Return: 1; 0: there is none now; -ENODEV: no more will come; -EBADMSG: an invalid message was
 * skipped; other errors of recvmsg(2).
 */
int taskrt_receive_queue_next(struct taskrt_receive_queue *queue, const struct nlmsghdr **header);

/*
 * Return: the end of a time-out of @timeout_ms from now, for
 * taskrt_receive_queue_wait(); negative: there is none.
 */
int64_t taskrt_receive_queue_until(int timeout_ms);

/*
 * Wait until something can be received.
 * Return: 1; 0: the time is over; -EINTR: a signal came first; other errors of poll(2).
 */
int taskrt_receive_queue_wait(const struct taskrt_receive_queue *queue, int64_t until_ms);

/*
 * Wait for the result of @request, which has been sent, and queue notifications until then.  If
 * there was a reply before the result, *reply is set, and the caller frees it.
 * Return: 0 or the kernel's error, with its text in *detail; -ENOBUFS: the socket was full and the
 * reply is lost.
 */
int taskrt_receive_queue_answer(struct taskrt_receive_queue *queue, const struct nlmsghdr *request,
				struct nlmsghdr **reply, struct taskrt_error_detail *detail);

#endif /* TASKRT_RECEIVE_QUEUE_H */
