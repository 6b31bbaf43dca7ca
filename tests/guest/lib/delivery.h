/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for the records of all exits until now. */
#ifndef DELIVERY_H
#define DELIVERY_H

#include "listener.h"

/*
 * Reads until the records of all exits before this call were received or reported as
 * lost.  A record that has not arrived by then never arrives.  To find that out, the
 * function ends a process on each CPU and waits until a second listener receives their records.
 */
void delivery_await(struct listener *listener);

#endif
