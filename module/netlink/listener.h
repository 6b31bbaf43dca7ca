/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The listeners, to which exits are delivered.  A listener belongs to a socket, and exists
 * until the socket is closed.  It has registrations, each with the rights of the task
 * that made it; the namespaces of the task that made the first one; and a batch.
 */
#ifndef TASKRT_LISTENER_H
#define TASKRT_LISTENER_H

#include <linux/skbuff.h>
#include "netlink/batch.h"
#include "netlink/registration.h"

struct netlink_ext_ack;

/* The maximum per listener.  Registrations with the same conditions are merged into one. */
#define LISTENER_REGISTRATIONS_MAX	16

struct listener {
	struct list_head node;
	struct llist_node closed;	/* queued for the worker, which frees it */
	struct list_head registrations;	/* RCU */
	kuid_t user;			/* that opened the socket */
	struct stats_view view;		/* holds references to the namespaces */
	u64 format;			/* version and groups, of the last registration */
	struct batch batch;		/* used by the worker */
};

struct listener_counts {
	u32 listeners;
	struct batch_counts batches;
};

extern const struct exit_sink listener_sink;

/* Module load and unload.  At unload, the sockets of all listeners report ENODEV. */
int listener_init(void);
void listener_exit(void);

/*
 * listener_check() - may who sent this request listen at all?
 * Before anything that takes long is done for it.  Its cgroup is not looked at.
 * Return: 0; -EPERM, -EUSERS with a text.
 */
int listener_check(const struct sk_buff *request, const struct registration *r,
		   struct netlink_ext_ack *extack);

/*
 * listener_register() - one more registration for the socket of this request
 * @r: the caller's again if it failed
 * @format: has version and groups
 * What listener_check() has found is looked at again.  Accounting is held.
 * Return: 0; -EUSERS, -EPERM, -EOPNOTSUPP with a text; -ENOMEM.
 */
int listener_register(const struct sk_buff *request, struct registration *r,
		      const struct stats_view *format, struct netlink_ext_ack *extack);

/* Removes these CPUs from all registrations of the socket. */
void listener_deregister(const struct sk_buff *request, const struct cpumask *cpus);

/*
 * listener_show() - call @show with the socket's listener, or with NULL if it has none
 *
 * The registrations do not change during the call.
 * Return: what @show returned.
 */
int listener_show(const struct sk_buff *request,
		  int (*show)(struct sk_buff *reply, const struct listener *l),
		  struct sk_buff *reply);

void listener_counts(struct listener_counts *counts);

#endif /* TASKRT_LISTENER_H */
