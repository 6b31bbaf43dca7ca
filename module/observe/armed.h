/* SPDX-License-Identifier: GPL-2.0-only */
/* An armed thread has a recorder until it exits, is disarmed, or the arming socket is closed. */
#ifndef TASKRT_ARMED_H
#define TASKRT_ARMED_H

#include <linux/cred.h>
#include "observe/recorder.h"

/* The requester that arms or disarms a thread. */
struct armed_by {
	struct sock *socket;		/* the thread is armed as long as this is open */
	u32 port;			/* of socket */
	const struct cred *opener;	/* the task that opened socket; its quota is charged */
	bool reserve;			/* may take the last quarter of armed_max */
	bool privileged;		/* may replace and remove recorders of other sockets */
};

struct armed_counts {
	u32 armed;
	u64 memory;
};

/*
 * armed_add() - attach a recorder to a task's thread
 * @task: the caller holds a reference
 *
 * The new recorder replaces one of the same socket and, if @by is privileged, of another socket.
 * Context: may sleep; accounting is held on (accounting_get()).
 * Return: 0; -ENODATA: the task is not tracked; -EBUSY: another socket has armed it; -EUSERS: the
 * user has armed too many threads; -EAGAIN: too many disarmed recorders are not freed yet;
 * -ENOSPC: too many threads are armed; -ENOMEM.
 */
int armed_add(const struct recorder_options *options, struct task_struct *task,
	      const struct armed_by *by);

/*
 * armed_remove() - disarm a thread
 * @by: only socket and privileged are used
 *
 * Return: 0; -ENODATA: the thread is not armed; -EPERM: another socket has armed it.
 */
int armed_remove(struct task_struct *task, const struct armed_by *by);

/* Disarm a thread that is no longer tracked. */
void armed_end(struct thread *t);

/*
 * Disarm the threads that a closed socket with this port has armed.  Another socket may have the
 * port by now.  Takes no lock if no thread was armed from this port.  May sleep.
 */
void armed_socket_closed(const struct net *net, u32 port);

/* Threads that are just being armed count as well. */
void armed_counts(struct armed_counts *counts);

#endif /* TASKRT_ARMED_H */
