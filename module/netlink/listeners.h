/* SPDX-License-Identifier: GPL-2.0-only */
/* All listeners: the right to listen, the listener of a socket, the delivery of exits. */
#ifndef TASKRT_LISTENERS_H
#define TASKRT_LISTENERS_H

#include "netlink/listener.h"

struct netlink_ext_ack;
struct worker_job;

struct listeners_counts {
	u32 listeners;
	struct batch_counts batches;
};

/* The job that delivers the exits, for exit_init(). */
extern struct worker_job listeners_job;

/* Module load and unload.  At unload, the sockets of all listeners report ENODEV. */
int listeners_init(void);
void listeners_exit(void);

/*
 * listeners_check() - check whether the sender of this request may listen at all
 *
 * Call this before slow work.  It ignores the filter's cgroup.  A concurrent request may count
 * against the limit until it is refused.
 * Return: 0; -EPERM, -EUSERS, -EAGAIN with a text; -ENOMEM.
 */
int listeners_check(const struct sk_buff *request, const struct registration *r,
		    struct netlink_ext_ack *extack);

/*
 * listeners_register() - set the registration of the socket of this request
 * @r: belongs to the caller again after an error
 *
 * It replaces a former registration and takes over its CPUs.  The right, and for a new listener
 * the limits, are checked again.  Context: accounting is held.
 * Return: 0; -EUSERS, -EAGAIN, -EPERM, -EOPNOTSUPP with a text; -ENOMEM.
 */
int listeners_register(const struct sk_buff *request, struct registration *r,
		       struct netlink_ext_ack *extack);

/* Removes these CPUs from the registration of the socket; the last one ends the registration. */
void listeners_deregister(const struct sk_buff *request, const struct cpumask *cpus);

/*
 * listeners_show() - call @show with the socket's listener, or with NULL if it has none
 * @show: called under the RCU read lock; another task that uses the same socket may be
 *	  replacing, changing and removing the registration
 * Return: what @show returned.
 */
int listeners_show(const struct sk_buff *request,
		   int (*show)(const struct listener *l, void *context), void *context);

void listeners_counts(struct listeners_counts *counts);

#endif /* TASKRT_LISTENERS_H */
