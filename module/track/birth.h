/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the record of a task that is being created, or that exists without a record. */
#ifndef TASKRT_BIRTH_H
#define TASKRT_BIRTH_H

#include <linux/types.h>

struct task_struct;

/*
 * birth_record() - make a record for a task
 * @preexisting: the task is not just being created
 *
 * Context: RCU read lock held, so that track_free() is not called for the task before its thread is
 * in the table.  Nor does its process leave the table before that, because the task belongs to it.
 * Return: 0; -EEXIST if the task has a record; -ENOMEM; -EDQUOT if the limit is reached; -ESRCH if
 * the task was reaped, and needs no record.
 */
int birth_record(struct task_struct *task, bool preexisting);

#endif /* TASKRT_BIRTH_H */
