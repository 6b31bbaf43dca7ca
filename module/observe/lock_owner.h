/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_LOCK_OWNER_H
#define TASKRT_LOCK_OWNER_H

#include "engine/record.h"

struct task_struct;

/*
 * lock_owner() - who has a lock, of a kind, that somebody waits for
 * @reader: it is held for reading; who is returned took it last, and may be no task any more:
 * to be compared, and not followed
 * As the lock itself says.  NULL: not known.  Another owner was alive a moment ago:
 * preemption stays off.
 */
struct task_struct *lock_owner(u64 lock, u8 kind, bool *reader);

#endif /* TASKRT_LOCK_OWNER_H */
