/* SPDX-License-Identifier: GPL-2.0-only */
/* What a listener is owed by now, all of it. */
#ifndef OWED_H
#define OWED_H

#include "ear.h"

/*
 * Reads until it has been told, or told the loss, of every exit before this call: what has
 * not come by then never comes.  Lets a process end, and another listener be told of it.
 */
void owed_read(struct ear *ear);

#endif
