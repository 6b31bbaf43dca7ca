/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_EXITS_H
#define TASKRT_EXITS_H

#include <stdint.h>

#include "netlink/connection.h"
#include "netlink/exit_message.h"
#include "netlink/receive_queue.h"

struct nlmsghdr;

struct taskrt_exits {
	struct taskrt connection;	/* its socket is never replaced */
	struct taskrt_receive_queue queue;
	struct taskrt_exit_message message;	/* the message being read */
	struct nlmsghdr *listed;	/* the last answer to LIST, checked; NULL: none */
	uint64_t delivered;		/* records returned */
	uint64_t lost;			/* records lost, and returned as a loss */
};

#endif /* TASKRT_EXITS_H */
