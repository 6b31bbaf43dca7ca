/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has a flight recorder: until it is disarmed, the thread has ended, or the
 * socket that armed it was closed.
 */
#ifndef TASKRT_ARMED_H
#define TASKRT_ARMED_H

#include "observe/recorder.h"

struct armed_counts {
	u32 armed;
	u64 memory;
};

/*
 * armed_add() - attach a recorder to a task's thread, instead of this socket's own
 * @socket: it lasts as long as this
 * The caller's reference to rec goes with it, if it is attached.  Accounting is
 * held on, and the task.  May sleep.
 * Return: 0; -ENODATA: it is not tracked; -EBUSY: another socket has armed it;
 * -EUSERS, -ENOSPC: there are too many of this user, or of all.
 */
int armed_add(struct recorder *rec, struct task_struct *task, struct sock *socket, kuid_t user);

/* Return: 0; -ENODATA: it is not armed. */
int armed_remove(struct task_struct *task);

/* Of a thread that is gone. */
void armed_end(struct thread *t);

/* Some socket was closed. */
void armed_socket_closed(void);

void armed_counts(struct armed_counts *counts);

#endif /* TASKRT_ARMED_H */
