// SPDX-License-Identifier: LGPL-2.1-or-later
/* One question to the kernel and all of its answer, over libnl. */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/msg.h>

#include "exchange.h"
#include "error.h"

struct exchange {
	taskrt_reply_fn fn;
	void *arg;
	char *text;
	size_t size;
	int err;		/* the verdict, or what fn returned */
	bool done;		/* the verdict is there */
	bool stopped;		/* fn wants no more */
	bool inconsistent;	/* NLM_F_DUMP_INTR was seen */
};

/* Another program may send to this port, too: that is for nobody. */
static int on_any(struct nl_msg *message, void *arg)
{
	(void)arg;
	return nlmsg_get_src(message)->nl_pid ? NL_SKIP : NL_OK;
}

static int on_reply(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	x->err = x->fn(nlmsg_hdr(message), x->arg);
	if (!x->err)
		return NL_OK;
	x->stopped = true;
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	(void)message;
	x->inconsistent = true;
	return NL_OK;
}

/* The end of a dump (NLMSG_DONE), or of anything else (NLMSG_ERROR with 0). */
static int on_end(struct nl_msg *message, void *arg)
{
	struct exchange *x = arg;

	x->err = taskrt_verdict(nlmsg_hdr(message), x->text, x->size);
	x->done = true;
	return NL_STOP;
}

/* libnl hands over the payload; the text of the error is behind it. */
static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct nlmsghdr *header = (struct nlmsghdr *)((char *)error - NLMSG_HDRLEN);
	struct exchange *x = arg;

	(void)from;
	x->err = taskrt_verdict(header, x->text, x->size);
	x->done = true;
	return NL_STOP;
}

static struct nl_cb *callbacks(struct exchange *x)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);

	if (!cb)
		return NULL;
	nl_cb_set(cb, NL_CB_MSG_IN, NL_CB_CUSTOM, on_any, NULL);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_reply, x);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, x);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, x);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_end, x);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, x);
	return cb;
}

/* A receive may fail on its own account: then there is no verdict to wait for. */
static int receive(struct nl_sock *socket, struct nl_cb *cb, struct exchange *x)
{
	int err;

	while (!x->done && !x->stopped) {
		err = nl_recvmsgs(socket, cb);
		if (err < 0 && !x->done && !x->stopped)
			return taskrt_errno_from_nl(err);
	}
	if (!x->err && x->inconsistent)
		return -EINTR;
	return x->err;
}

int taskrt_exchange(struct nl_sock *socket, struct nl_msg *message,
		    taskrt_reply_fn fn, void *arg, char *text, size_t size,
		    bool *clean)
{
	struct exchange x = { .fn = fn, .arg = arg, .text = text, .size = size };
	struct nl_cb *cb = callbacks(&x);
	int err = -ENOMEM;

	if (cb) {
		err = nl_send_auto(socket, message);
		err = err < 0 ? taskrt_errno_from_nl(err) : receive(socket, cb, &x);
		nl_cb_put(cb);
	}
	nlmsg_free(message);
	*clean = x.done;
	return err;
}
