// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A listener's socket carries notifications, which may arrive at any time, and the
 * replies to requests.  libnl's own receive function would take a notification for a
 * wrong reply, so messages are sorted here.  A notification that arrives while a reply
 * is awaited is queued, and a reply that is no longer awaited is dropped.
 *
 * The queue is bounded by the socket's receive buffer.  The kernel replies while it
 * handles the request, so only messages that were in the buffer before can come before
 * the reply.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "internal.h"
#include "netlink/error.h"
#include "netlink/receive_queue.h"

#define ANSWER_WAIT_MS	1000

struct taskrt_queued_message {
	struct taskrt_queued_message *next;
	_Alignas(8) char bytes[];
};

void taskrt_receive_queue_init(struct taskrt_receive_queue *queue, int fd, uint16_t family,
			       uint8_t command)
{
	queue->fd = fd;
	queue->family = family;
	queue->command = command;
	queue->newest = &queue->oldest;
}

void taskrt_receive_queue_clear(struct taskrt_receive_queue *queue)
{
	while (queue->oldest) {
		struct taskrt_queued_message *queued = queue->oldest;

		queue->oldest = queued->next;
		free(queued);
	}
	free(queue->reading);
}

/*
 * Handle an error that the socket reports before the messages that it still holds.
 * Return: true if reading should go on, because messages may still be there.
 */
static bool passing(struct taskrt_receive_queue *queue, int error)
{
	switch (error) {
	case EINTR:
		return true;
	case ENOBUFS:
		queue->overrun = true;
		return true;
	case ENODEV:
		if (queue->gone)
			return false;
		queue->gone = true;
		return true;
	default:
		return false;
	}
}

/* Return: the number of bytes; 0: the message is not from the kernel; a negative errno. */
static ssize_t receive_queue_receive(struct taskrt_receive_queue *queue, void *buffer, size_t size,
				     int flags)
{
	struct sockaddr_nl from = { 0 };
	struct iovec iov = { .iov_base = buffer, .iov_len = size };
	struct msghdr message = {
		.msg_name = &from, .msg_namelen = sizeof(from),
		.msg_iov = &iov, .msg_iovlen = 1,
	};
	ssize_t length;

	do {
		length = recvmsg(queue->fd, &message, flags | MSG_DONTWAIT);
	} while (length < 0 && passing(queue, errno));
	if (length < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	if (flags & MSG_PEEK)
		return length;
	/* The socket is connected to the kernel, but a multicast group takes from others, too. */
	if (from.nl_pid)
		return 0;
	return message.msg_flags & MSG_TRUNC ? -EBADMSG : length;
}

static bool is_notification(const struct nlmsghdr *header, uint16_t family, uint8_t command)
{
	const struct genlmsghdr *genl = NLMSG_DATA(header);

	return header->nlmsg_type == family && !header->nlmsg_seq &&
	       header->nlmsg_len >= NLMSG_HDRLEN + GENL_HDRLEN && genl->cmd == command;
}

static bool is_wanted(const struct taskrt_receive_queue *queue, const struct nlmsghdr *header)
{
	return is_notification(header, queue->family, queue->command);
}

/* Members of generic netlink's own group are notified when a family is removed. */
static bool is_removal(const struct taskrt_receive_queue *queue, const struct nlmsghdr *header)
{
	const struct nlattr *attr;

	if (!is_notification(header, GENL_ID_CTRL, CTRL_CMD_DELFAMILY))
		return false;
	attr = nlmsg_find_attr((struct nlmsghdr *)header, GENL_HDRLEN, CTRL_ATTR_FAMILY_ID);
	return attr && nla_len(attr) == sizeof(uint16_t) &&
	       nla_get_u16((struct nlattr *)attr) == queue->family;
}

static const struct nlmsghdr *next_in_buffer(struct taskrt_receive_queue *queue)
{
	while (nlmsg_ok(queue->rest, queue->left)) {
		const struct nlmsghdr *header = queue->rest;

		queue->rest = nlmsg_next(queue->rest, &queue->left);
		if (is_wanted(queue, header))
			return header;
		if (is_removal(queue, header))
			queue->gone = true;
	}
	return NULL;
}

static const struct nlmsghdr *next_queued(struct taskrt_receive_queue *queue)
{
	struct taskrt_queued_message *queued = queue->oldest;

	free(queue->reading);
	queue->reading = queued;
	if (!queued)
		return NULL;
	queue->oldest = queued->next;
	if (!queue->oldest)
		queue->newest = &queue->oldest;
	return (const struct nlmsghdr *)queued->bytes;
}

static int fill_buffer(struct taskrt_receive_queue *queue)
{
	ssize_t length = receive_queue_receive(queue, queue->buffer, sizeof(queue->buffer), 0);

	if (length < 0)
		return length;
	queue->rest = (struct nlmsghdr *)queue->buffer;
	queue->left = length;
	return length && !nlmsg_ok(queue->rest, queue->left) ? -EBADMSG : 0;
}

/* The buffer goes first, because queued messages arrived after those in it. */
int taskrt_receive_queue_next(struct taskrt_receive_queue *queue, const struct nlmsghdr **header)
{
	int err = 0;

	while (!err) {
		*header = next_in_buffer(queue);
		if (!*header)
			*header = next_queued(queue);
		if (*header)
			return 1;
		err = fill_buffer(queue);
	}
	if (err == -EAGAIN)
		return queue->gone ? -ENODEV : 0;
	return err;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int64_t taskrt_receive_queue_until(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
}

int taskrt_receive_queue_wait(const struct taskrt_receive_queue *queue, int64_t until_ms)
{
	struct pollfd pollfd = { .fd = queue->fd, .events = POLLIN };
	int64_t left = until_ms < 0 ? -1 : until_ms - now_ms();
	int ready;

	if (until_ms >= 0 && left <= 0)
		return 0;
	ready = poll(&pollfd, 1, left);
	return ready < 0 ? -errno : ready;
}

static int receive_queue_keep(struct taskrt_receive_queue *queue, const struct nlmsghdr *header)
{
	struct taskrt_queued_message *queued = malloc(sizeof(*queued) + header->nlmsg_len);

	if (!queued)
		return -ENOMEM;
	queued->next = NULL;
	memcpy(queued->bytes, header, header->nlmsg_len);
	*queue->newest = queued;
	queue->newest = &queued->next;
	return 0;
}

static int take_reply(struct nlmsghdr **reply, const struct nlmsghdr *header)
{
	free(*reply);
	*reply = malloc(header->nlmsg_len);
	if (!*reply)
		return -ENOMEM;
	memcpy(*reply, header, header->nlmsg_len);
	return 0;
}

struct awaited {
	const struct nlmsghdr *request;
	struct nlmsghdr **reply;
	struct taskrt_error_detail *detail;
	bool done;		/* the result has been received */
};

static int sort_out(struct taskrt_receive_queue *queue, struct awaited *awaited,
		    const struct nlmsghdr *header)
{
	if (is_wanted(queue, header))
		return receive_queue_keep(queue, header);
	if (header->nlmsg_seq != awaited->request->nlmsg_seq)
		return 0;
	if (header->nlmsg_type == queue->family)
		return take_reply(awaited->reply, header);
	if (header->nlmsg_type != NLMSG_ERROR)
		return 0;
	awaited->done = true;
	return taskrt_error_from_ack(header, awaited->request, awaited->detail);
}

static int sort_out_all(struct taskrt_receive_queue *queue, struct awaited *awaited,
			struct nlmsghdr *header, int left)
{
	int err = 0, one;

	for (; nlmsg_ok(header, left); header = nlmsg_next(header, &left)) {
		one = sort_out(queue, awaited, header);
		err = err ? err : one;
	}
	return err;
}

/* A reply may have any length, so its length is peeked at first. */
static int receive_one(struct taskrt_receive_queue *queue, struct awaited *awaited)
{
	ssize_t length = receive_queue_receive(queue, NULL, 0, MSG_PEEK | MSG_TRUNC);
	size_t size = length;
	void *datagram;
	int err;

	if (length < 0)
		return length;
	datagram = malloc(size + 1);
	if (!datagram)
		return -ENOMEM;
	length = receive_queue_receive(queue, datagram, size + 1, 0);
	err = length < 0 ? length : sort_out_all(queue, awaited, datagram, length);
	free(datagram);
	return err;
}

/* Called when the socket is empty: decide whether the reply was dropped or is late. */
static int await(struct taskrt_receive_queue *queue)
{
	struct pollfd pollfd = { .fd = queue->fd, .events = POLLIN };

	if (queue->gone)
		return -ENODEV;
	if (queue->overrun || poll(&pollfd, 1, ANSWER_WAIT_MS) == 0)
		return -ENOBUFS;
	return 0;
}

int taskrt_receive_queue_answer(struct taskrt_receive_queue *queue, const struct nlmsghdr *request,
				struct nlmsghdr **reply, struct taskrt_error_detail *detail)
{
	struct awaited awaited = { .request = request, .reply = reply, .detail = detail };
	int err = 0;

	*reply = NULL;
	while (!err && !awaited.done) {
		err = receive_one(queue, &awaited);
		if (err == -EAGAIN && !awaited.done)
			err = await(queue);
	}
	if (err) {
		free(*reply);
		*reply = NULL;
	}
	return err;
}
