// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One request to the kernel and all replies to it.  libnl sends the request; the replies
 * are received here, because nl_recvmsgs() allocates and copies for every message: a
 * query took 2,800 of 16,700 instructions more with it.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/msg.h>
#include <sys/socket.h>

#include "netlink/exchange.h"
#include "netlink/error.h"

struct exchange {
	taskrt_reply_fn fn;
	void *arg;
	struct taskrt_error_detail *detail;
	const struct nlmsghdr *request;
	int err;		/* the result of the request, or of fn */
	bool done;		/* the result has been received */
	bool stopped;		/* fn stopped the exchange */
	bool inconsistent;	/* NLM_F_DUMP_INTR was set */
};

static bool is_own_verdict(const struct nlmsghdr *request)
{
	return !(request->nlmsg_flags & NLM_F_ACK) &&
	       (request->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP;
}

static void exchange_reply(struct exchange *x, const struct nlmsghdr *header)
{
	x->err = x->fn(header, x->arg);
	x->stopped = x->err;
	x->done = is_own_verdict(x->request);
}

/* An NLMSG_DONE ends a dump, and an NLMSG_ERROR with 0 any other request. */
static void exchange_end(struct exchange *x, const struct nlmsghdr *header)
{
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
		x->stopped = true;
		break;
	case NLMSG_ERROR:
	case NLMSG_DONE:
		exchange_end(x, header);
		break;
	default:
		exchange_reply(x, header);
	}
}

/* Return: the length of a datagram of the kernel; 0: it was another program's; an error. */
static ssize_t exchange_receive(int fd, const struct taskrt_exchange_buffer *buffer)
{
	struct sockaddr_nl from = { .nl_family = AF_NETLINK };
	struct iovec iov = { .iov_base = buffer->bytes, .iov_len = buffer->size };
	struct msghdr message = {
		.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1,
	};
	ssize_t length;

	do
		length = recvmsg(fd, &message, 0);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return -errno;
	if (from.nl_pid)
		return 0;
	return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : length;
}

/* Receiving itself may fail.  Then there is no result to wait for. */
static int exchange_await(int fd, const struct taskrt_exchange_buffer *buffer, struct exchange *x)
{
	while (!x->done && !x->stopped) {
		const struct nlmsghdr *header = buffer->bytes;
		ssize_t length = exchange_receive(fd, buffer);
		int left = length;

		if (length < 0)
			return length;
		for (; nlmsg_ok(header, left) && !x->done && !x->stopped;
		     header = nlmsg_next((struct nlmsghdr *)header, &left))
			exchange_message(x, header);
	}
	if (!x->err && x->inconsistent)
		return -EINTR;
	return x->err;
}

int taskrt_exchange(struct nl_sock *socket, const struct taskrt_exchange_buffer *buffer,
		    struct nl_msg *message, taskrt_reply_fn fn, void *arg,
		    struct taskrt_error_detail *detail, bool *clean)
{
	struct exchange x = {
		.fn = fn, .arg = arg, .detail = detail, .request = nlmsg_hdr(message),
	};
	int err = nl_send_auto(socket, message);

	err = err < 0 ? taskrt_error_from_nl(err) :
			exchange_await(nl_socket_get_fd(socket), buffer, &x);
	nlmsg_free(message);
	*clean = x.done;
	return err;
}
