// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A listener's socket carries two things: EXITs, at any time, and the answers
 * to requests.  libnl's own receive would take an EXIT for a wrong answer, so
 * messages are told apart here.  An EXIT that comes while an answer is awaited
 * is set aside; an answer that nobody awaits any more is dropped.
 *
 * How much is set aside is bounded by the socket's receive buffer: the kernel
 * answers while it takes the request, so that only what was there before can
 * come before the answer.
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

struct taskrt_kept {
	struct taskrt_kept *next;
	_Alignas(8) char bytes[];
};

void taskrt_inbox_init(struct taskrt_inbox *inbox, int fd, uint16_t family, uint8_t command)
{
	inbox->fd = fd;
	inbox->family = family;
	inbox->command = command;
	inbox->newest = &inbox->oldest;
}

void taskrt_inbox_clear(struct taskrt_inbox *inbox)
{
	while (inbox->oldest) {
		struct taskrt_kept *kept = inbox->oldest;

		inbox->oldest = kept->next;
		free(kept);
	}
	free(inbox->reading);
}

/*
 * The socket reports an error before the messages that it still holds.
 * Return: is there nothing to say yet, so that one is to go on reading?
 */
static bool passing(struct taskrt_inbox *inbox, int error)
{
	switch (error) {
	case EINTR:
		return true;
	case ENOBUFS:
		inbox->overrun = true;
		return true;
	case ENODEV:
		if (inbox->gone)
			return false;
		inbox->gone = true;
		return true;
	default:
		return false;
	}
}

/* Return: bytes, 0 if it is not of the kernel, or a negative errno. */
static ssize_t receive(struct taskrt_inbox *inbox, void *buffer, size_t size, int flags)
{
	struct sockaddr_nl from = { 0 };
	struct iovec iov = { .iov_base = buffer, .iov_len = size };
	struct msghdr message = {
		.msg_name = &from, .msg_namelen = sizeof(from),
		.msg_iov = &iov, .msg_iovlen = 1,
	};
	ssize_t length;

	do {
		length = recvmsg(inbox->fd, &message, flags | MSG_DONTWAIT);
	} while (length < 0 && passing(inbox, errno));
	if (length < 0)
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	if (flags & MSG_PEEK)
		return length;
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

static bool is_wanted(const struct taskrt_inbox *inbox, const struct nlmsghdr *header)
{
	return is_notification(header, inbox->family, inbox->command);
}

/* Who has joined the group of generic netlink itself is told of families that go. */
static bool is_farewell(const struct taskrt_inbox *inbox, const struct nlmsghdr *header)
{
	const struct nlattr *attr;

	if (!is_notification(header, GENL_ID_CTRL, CTRL_CMD_DELFAMILY))
		return false;
	attr = nlmsg_find_attr((struct nlmsghdr *)header, GENL_HDRLEN, CTRL_ATTR_FAMILY_ID);
	return attr && nla_len(attr) == sizeof(uint16_t) &&
	       nla_get_u16((struct nlattr *)attr) == inbox->family;
}

static const struct nlmsghdr *next_in_buffer(struct taskrt_inbox *inbox)
{
	while (nlmsg_ok(inbox->rest, inbox->left)) {
		const struct nlmsghdr *header = inbox->rest;

		inbox->rest = nlmsg_next(inbox->rest, &inbox->left);
		if (is_wanted(inbox, header))
			return header;
		if (is_farewell(inbox, header))
			inbox->gone = true;
	}
	return NULL;
}

static const struct nlmsghdr *next_kept(struct taskrt_inbox *inbox)
{
	struct taskrt_kept *kept = inbox->oldest;

	free(inbox->reading);
	inbox->reading = kept;
	if (!kept)
		return NULL;
	inbox->oldest = kept->next;
	if (!inbox->oldest)
		inbox->newest = &inbox->oldest;
	return (const struct nlmsghdr *)kept->bytes;
}

static int fill_buffer(struct taskrt_inbox *inbox)
{
	ssize_t length = receive(inbox, inbox->buffer, sizeof(inbox->buffer), 0);

	if (length < 0)
		return length;
	inbox->rest = (struct nlmsghdr *)inbox->buffer;
	inbox->left = length;
	return length && !nlmsg_ok(inbox->rest, inbox->left) ? -EBADMSG : 0;
}

/* What was set aside came after what is in the buffer. */
int taskrt_inbox_next(struct taskrt_inbox *inbox, const struct nlmsghdr **header)
{
	int err = 0;

	while (!err) {
		*header = next_in_buffer(inbox);
		if (!*header)
			*header = next_kept(inbox);
		if (*header)
			return 1;
		err = fill_buffer(inbox);
	}
	if (err == -EAGAIN)
		return inbox->gone ? -ENODEV : 0;
	return err;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int64_t taskrt_inbox_until(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
}

int taskrt_inbox_wait(const struct taskrt_inbox *inbox, int64_t until_ms)
{
	struct pollfd pollfd = { .fd = inbox->fd, .events = POLLIN };
	int64_t left = until_ms < 0 ? -1 : until_ms - now_ms();
	int ready;

	if (until_ms >= 0 && left <= 0)
		return 0;
	ready = poll(&pollfd, 1, left);
	return ready < 0 ? -errno : ready;
}

static int keep(struct taskrt_inbox *inbox, const struct nlmsghdr *header)
{
	struct taskrt_kept *kept = malloc(sizeof(*kept) + header->nlmsg_len);

	if (!kept)
		return -ENOMEM;
	kept->next = NULL;
	memcpy(kept->bytes, header, header->nlmsg_len);
	*inbox->newest = kept;
	inbox->newest = &kept->next;
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
	struct taskrt_words *words;
	bool done;		/* the verdict is there */
};

static int sort_out(struct taskrt_inbox *inbox, struct awaited *awaited,
		    const struct nlmsghdr *header)
{
	if (is_wanted(inbox, header))
		return keep(inbox, header);
	if (header->nlmsg_seq != awaited->request->nlmsg_seq)
		return 0;
	if (header->nlmsg_type == inbox->family)
		return take_reply(awaited->reply, header);
	if (header->nlmsg_type != NLMSG_ERROR)
		return 0;
	awaited->done = true;
	return taskrt_verdict(header, awaited->request, awaited->words);
}

static int sort_out_all(struct taskrt_inbox *inbox, struct awaited *awaited,
			struct nlmsghdr *header, int left)
{
	int err = 0, one;

	for (; nlmsg_ok(header, left); header = nlmsg_next(header, &left)) {
		one = sort_out(inbox, awaited, header);
		err = err ? err : one;
	}
	return err;
}

/* A reply may be of any length, so it is asked for first. */
static int receive_one(struct taskrt_inbox *inbox, struct awaited *awaited)
{
	ssize_t length = receive(inbox, NULL, 0, MSG_PEEK | MSG_TRUNC);
	size_t size = length;
	void *datagram;
	int err;

	if (length < 0)
		return length;
	datagram = malloc(size + 1);
	if (!datagram)
		return -ENOMEM;
	length = receive(inbox, datagram, size + 1, 0);
	err = length < 0 ? length : sort_out_all(inbox, awaited, datagram, length);
	free(datagram);
	return err;
}

/* Nothing is there: was the answer dropped, or is it only late? */
static int await(struct taskrt_inbox *inbox)
{
	struct pollfd pollfd = { .fd = inbox->fd, .events = POLLIN };

	if (inbox->gone)
		return -ENODEV;
	if (inbox->overrun || poll(&pollfd, 1, ANSWER_WAIT_MS) == 0)
		return -ENOBUFS;
	return 0;
}

int taskrt_inbox_answer(struct taskrt_inbox *inbox, const struct nlmsghdr *request,
			struct nlmsghdr **reply, struct taskrt_words *words)
{
	struct awaited awaited = { .request = request, .reply = reply, .words = words };
	int err = 0;

	*reply = NULL;
	while (!err && !awaited.done) {
		err = receive_one(inbox, &awaited);
		if (err == -EAGAIN && !awaited.done)
			err = await(inbox);
	}
	if (err) {
		free(*reply);
		*reply = NULL;
	}
	return err;
}
