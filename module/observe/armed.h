/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The armed threads, which have a flight recorder.  A thread is armed until it is
 * disarmed, ends, or the socket that armed it is closed.
 */
#ifndef TASKRT_ARMED_H
#define TASKRT_ARMED_H

#include "observe/recorder.h"

struct armed_counts {
	u32 armed;
	u64 memory;
};

/*
 * armed_add() - attach a recorder to a task's thread
 * @rec: on success the caller's reference belongs to the thread
 * @task: the caller holds a reference
 * @socket: the thread is armed as long as this is open
 * @user: whose limit counts
 *
 * A recorder that the same socket has attached before is replaced.
 * Context: may sleep; accounting is held on (accounting_get()).
 * Return: 0; -ENODATA if the task is not tracked; -EBUSY if another socket has armed
 * it; -EUSERS if the user has armed too many threads; -ENOSPC if too many are armed.
 */
int armed_add(struct recorder *rec, struct task_struct *task, struct sock *socket, kuid_t user);

/* Disarms a thread.  Return: 0, or -ENODATA if it is not armed. */
int armed_remove(struct task_struct *task);

/* Disarms a thread that is no longer tracked. */
void armed_end(struct thread *t);

/* Disarms all threads whose socket was closed. */
void armed_socket_closed(void);

void armed_counts(struct armed_counts *counts);

#endif /* TASKRT_ARMED_H */
