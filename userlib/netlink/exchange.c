// SPDX-License-Identifier: LGPL-2.1-or-later
/* One request to the kernel and all replies to it, over libnl. */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/msg.h>

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

/* Messages from other programs, and replies to other requests, are skipped. */
static int on_any(struct nl_msg *message, void *arg)
{
	const struct exchange *x = arg;

	return nlmsg_get_src(message)->nl_pid ||
	       nlmsg_hdr(message)->nlmsg_seq != x->request->nlmsg_seq ? NL_SKIP : NL_OK;
}

static bool is_own_verdict(const struct nlmsghdr *request)
{
	return !(request->nlmsg_flags & NLM_F_ACK) &&
	       (request->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP;
}

static int on_reply(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	x->err = x->fn(nlmsg_hdr(message), x->arg);
	x->stopped = x->err;
	x->done = is_own_verdict(x->request);
	return x->stopped || x->done ? NL_STOP : NL_OK;
}

static int on_interrupted(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	(void)message;
	x->inconsistent = true;
	return NL_OK;
}

/* An NLMSG_DONE ends a dump, and an NLMSG_ERROR with 0 any other request. */
static int on_end(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	x->err = taskrt_error_from_ack(nlmsg_hdr(message), x->request, x->detail);
	x->done = true;
	return NL_STOP;
}

/* libnl passes the payload.  The header before it is needed to find the text behind it. */
static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct nlmsghdr *header = (struct nlmsghdr *)((char *)error - NLMSG_HDRLEN);
	struct exchange *x = arg;

	(void)from;
	x->err = taskrt_error_from_ack(header, x->request, x->detail);
	x->done = true;
	return NL_STOP;
}

static struct nl_cb *callbacks(struct exchange *x)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);

	if (!cb)
		return NULL;
	nl_cb_set(cb, NL_CB_MSG_IN, NL_CB_CUSTOM, on_any, x);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_reply, x);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, x);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, x);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_end, x);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, x);
	return cb;
}

/* Receiving itself may fail.  Then there is no result to wait for. */
static int exchange_receive(struct nl_sock *socket, struct nl_cb *cb, struct exchange *x)
{
	int err;

	while (!x->done && !x->stopped) {
		err = nl_recvmsgs(socket, cb);
		if (err < 0 && !x->done && !x->stopped)
			return taskrt_error_from_nl(err);
	}
	if (!x->err && x->inconsistent)
		return -EINTR;
	return x->err;
}

int taskrt_exchange(struct nl_sock *socket, struct nl_msg *message,
		    taskrt_reply_fn fn, void *arg, struct taskrt_error_detail *detail,
		    bool *clean)
{
	struct exchange x = {
		.fn = fn, .arg = arg, .detail = detail, .request = nlmsg_hdr(message),
	};
	struct nl_cb *cb = callbacks(&x);
	int err = -ENOMEM;

	if (cb) {
		err = nl_send_auto(socket, message);
		err = err < 0 ? taskrt_error_from_nl(err) : exchange_receive(socket, cb, &x);
		nl_cb_put(cb);
	}
	nlmsg_free(message);
	*clean = x.done;
	return err;
}
