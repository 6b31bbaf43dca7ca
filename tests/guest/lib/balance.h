/* SPDX-License-Identifier: GPL-2.0-only */
/* Are the alerts of a time all there: told, or lost and said to be? */
#ifndef BALANCE_H
#define BALANCE_H

#include <stdint.h>

#include "alert.h"
#include "thread.h"

struct balance {
	struct alert_listener listener;
	struct thread thread;
	volatile int stop;
	uint64_t raised, lost, received, missed;
};

/*
 * From now on somebody listens; the caller may not be armed by another socket.  To
 * be allocated statically: it is large.
 */
void balance_begin(struct balance *balance);

/* Checks it, and that they were wanted in number, unless that is 0: not known. */
void balance_end(struct balance *balance, uint64_t wanted, const char *name);

#endif
