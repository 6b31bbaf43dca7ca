/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The finished intervals of one state or timer, as they are shown in a thread's page:
 * how many of which length, and the longest since any instant.  Plain C over
 * integers, like the engine.
 */
#ifndef TASKRT_INTERVALS_H
#define TASKRT_INTERVALS_H

#include <linux/taskrt_page.h>
#include "engine/record_env.h"

/* One that began at @at, after all others of the same kind, and took @ns, not 0. */
void intervals_add(struct taskrt_intervals *intervals, u64 ns, u64 at);

#endif /* TASKRT_INTERVALS_H */
