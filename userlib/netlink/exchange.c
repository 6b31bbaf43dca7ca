// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One request to the kernel and all replies to it.  libnl has opened the socket, but is
 * not used here, because its messages and nl_recvmsgs() allocate and copy each time: a
 * query took 5,800 of 16,700 instructions more with them.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/msg.h>
#include <sys/socket.h>

#include "netlink/exchange.h"
#include "netlink/error.h"
#include "netlink/message.h"

struct exchange {
	taskrt_reply_fn fn;
	void *arg;
	struct taskrt_error_detail *detail;
	const struct nlmsghdr *request;
	int err;		/* the result of the request, or of fn */
	bool done;		/* the result has been received */
	bool stopped;		/* fn wants no more: drop further replies */
	bool lost;		/* replies are missing, maybe the last one */
	bool inconsistent;	/* NLM_F_DUMP_INTR was set */
};

static bool is_own_verdict(const struct nlmsghdr *request)
{
	return !(request->nlmsg_flags & NLM_F_ACK) &&
	       (request->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP;
}

static void exchange_reply(struct exchange *x, const struct nlmsghdr *header)
{
	if (x->stopped)
		return;
	x->err = x->fn(header, x->arg);
	x->stopped = x->err;
	x->done = is_own_verdict(x->request);
}

/* An NLMSG_DONE ends a dump, and an NLMSG_ERROR with 0 any other request. */
static void exchange_end(struct exchange *x, const struct nlmsghdr *header)
{
	if (!x->stopped)
		x->err = taskrt_error_from_ack(header, x->request, x->detail);
	x->done = true;
}

static void exchange_message(struct exchange *x, const struct nlmsghdr *header)
{
	/* A reply to another request. */
	if (header->nlmsg_seq != x->request->nlmsg_seq)
		return;
	if (header->nlmsg_flags & NLM_F_DUMP_INTR)
		x->inconsistent = true;
	switch (header->nlmsg_type) {
	case NLMSG_NOOP:
		break;
	case NLMSG_OVERRUN:
		x->err = -ENOBUFS;
		x->lost = true;
		break;
	case NLMSG_ERROR:
	case NLMSG_DONE:
		exchange_end(x, header);
		break;
	default:
		exchange_reply(x, header);
	}
}

/*
 * The datagram is from the kernel: see connect_kernel().
 * Return: its length, or a negative errno.
 */
static ssize_t exchange_receive(const struct taskrt_channel *channel)
{
	ssize_t length;

	do
		length = recv(channel->fd, channel->buffer, channel->size, MSG_TRUNC);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return -errno;
	return (size_t)length > channel->size ? -EMSGSIZE : length;
}

static bool is_whole(const struct nlmsghdr *header, int left)
{
	return left >= (int)sizeof(*header) && header->nlmsg_len >= sizeof(*header) &&
	       header->nlmsg_len <= (unsigned int)left;
}

/* Receiving itself may fail.  Then there is no result to wait for. */
static int exchange_await(const struct taskrt_channel *channel, struct exchange *x)
{
	while (!x->done && !x->lost) {
		const struct nlmsghdr *header = channel->buffer;
		ssize_t length = exchange_receive(channel);
		int left = length;

		if (length < 0)
			return length;
		for (; is_whole(header, left) && !x->done && !x->lost;
		     header = NLMSG_NEXT(header, left))
			exchange_message(x, header);
	}
	if (!x->err && x->inconsistent)
		return -EINTR;
	return x->err;
}

int taskrt_exchange_send(struct taskrt_channel *channel, struct taskrt_message *message)
{
	struct nlmsghdr *header = &message->header;

	if (message->full)
		return -EMSGSIZE;
	/* Notifications have the number 0. */
	if (!++channel->sequence)
		channel->sequence++;
	header->nlmsg_seq = channel->sequence;
	if (send(channel->fd, header, header->nlmsg_len, 0) >= 0)
		return 0;
	/* send(2) means "no memory"; to our callers ENOBUFS is a loss of messages. */
	return errno == ENOBUFS ? -ENOMEM : -errno;
}

int taskrt_exchange(struct taskrt_channel *channel, struct taskrt_message *message,
		    taskrt_reply_fn fn, void *arg, struct taskrt_error_detail *detail,
		    bool *clean)
{
	struct exchange x = {
		.fn = fn, .arg = arg, .detail = detail, .request = &message->header,
	};
	int err = taskrt_exchange_send(channel, message);

	if (!err)
		err = exchange_await(channel, &x);
	*clean = x.done;
	return err;
}
