/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The finished intervals of one state or timer, as a thread's mapped page shows them:
 * a histogram of their lengths, and the peaks in which a reader finds the longest
 * interval since a given instant.  This is plain C over integers, like the record.
 */
#ifndef TASKRT_INTERVALS_H
#define TASKRT_INTERVALS_H

#include <linux/taskrt_page.h>
#include "engine/record_env.h"

/*
 * intervals_add() - add a finished interval
 * @ns: its length, which must not be 0
 * @at: when it began, which must be later than all intervals added before
 */
void intervals_add(struct taskrt_intervals *intervals, u64 ns, u64 at);

#endif /* TASKRT_INTERVALS_H */
