/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The armed threads, which have a flight recorder.  A thread is armed until it is
 * disarmed, ends, or the socket that armed it is closed.
 */
#ifndef TASKRT_ARMED_H
#define TASKRT_ARMED_H

#include <linux/cred.h>
#include "observe/recorder.h"

/* Who arms a thread. */
struct armed_by {
	struct sock *socket;		/* the thread is armed as long as this is open */
	u32 port;			/* of socket */
	const struct cred *opener;	/* of socket; whose quota is charged */
	bool reserve;			/* may take the last quarter of what all may */
	bool privileged;		/* may take away what other sockets have armed */
};

struct armed_counts {
	u32 armed;
	u64 memory;
};

/*
 * armed_add() - attach a recorder to a task's thread
 * @task: the caller holds a reference
 *
 * A recorder that the same socket has attached before is replaced; so is another's, if @by
 * is privileged.
 * Context: may sleep; accounting is held on (accounting_get()).
 * Return: 0; -ENODATA if the task is not tracked; -EBUSY if another socket has armed
 * it, and @by is not privileged; -EUSERS if the user has armed too many threads; -EAGAIN if
 * too many that were disarmed are not freed; -ENOSPC if too many are armed; -ENOMEM.
 */
int armed_add(const struct recorder_options *options, struct task_struct *task,
	      const struct armed_by *by);

/*
 * armed_remove() - disarm a thread
 * @by: the socket that armed it, or privileged; its other members do not matter
 * Return: 0; -ENODATA if it is not armed; -EPERM.
 */
int armed_remove(struct task_struct *task, const struct armed_by *by);

/* Disarms a thread that is no longer tracked. */
void armed_end(struct thread *t);

/*
 * armed_socket_closed() - disarm all threads that a socket with this port has armed, if
 * it was closed; the port may have another socket by now
 *
 * Takes no lock if no thread was armed from that port.  May sleep.
 */
void armed_socket_closed(const struct net *net, u32 port);

/* What is being armed at the moment counts as well. */
void armed_counts(struct armed_counts *counts);

#endif /* TASKRT_ARMED_H */
