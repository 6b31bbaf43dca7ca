/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that all alerts of a period are accounted for: delivered, or reported as lost. */
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
 * Starts a thread that listens; the caller must not be armed by another socket.  The
 * structure is large: allocate it statically.
 */
void balance_begin(struct balance *balance);

/* Checks the sum, and that this many alerts were requested; 0: the number is not known. */
void balance_end(struct balance *balance, uint64_t wanted, const char *name);

#endif
