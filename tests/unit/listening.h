/* SPDX-License-Identifier: GPL-2.0-only */
/* One listener at a time, and a kernel that answers as the test wants. */
#ifndef TASKRT_LISTENING_H
#define TASKRT_LISTENING_H

#include <netlink/attr.h>

#include "fake_kernel.h"
#include "taskrt.h"

static struct taskrt_exits *listener;

static inline int listening(void (*answer)(struct nlmsghdr *request))
{
	fake_reset(answer);
	return taskrt_exits_open(&listener);
}

/* The end of every test. */
static inline int finish(void **state)
{
	(void)state;
	taskrt_exits_close(listener);
	listener = NULL;
	fake_reset(NULL);
	return 0;
}

/* The answer to a registration. */
static inline struct nl_msg *cpus_message(const char *cpus)
{
	struct nl_msg *message = fake_message(TASKRT_CMD_REGISTER, 0);

	nla_put_string(message, TASKRT_A_CPUMASK, cpus);
	return message;
}

#endif /* TASKRT_LISTENING_H */
