/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_LISTENER_H
#define TASKRT_LISTENER_H

#include <stdint.h>

#include "connection.h"
#include "exits.h"
#include "inbox.h"

struct taskrt_listener {
	struct taskrt connection;	/* its socket is never replaced */
	struct taskrt_inbox inbox;
	struct taskrt_exits exits;	/* of the message being read */
	uint64_t told;			/* records handed out */
	uint64_t lost;			/* and those that were lost, handed out as such */
};

#endif /* TASKRT_LISTENER_H */
