/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener, to which exits are delivered.  A listener belongs to a socket, and exists
 * until the socket is closed.  It has registrations, each with the rights of the task
 * that made it; the namespaces of the task that made the first one; and a batch.
 */
#ifndef TASKRT_LISTENER_H
#define TASKRT_LISTENER_H

#include <linux/skbuff.h>
#include "netlink/batch.h"
#include "netlink/registration.h"

/* The maximum per listener.  Registrations with the same conditions are merged into one. */
#define LISTENER_REGISTRATIONS_MAX	16

struct account;

struct listener {
	struct list_head node;
	struct hlist_node same_hash;	/* in the table, by the port of the socket */
	struct llist_node closed;	/* queued for the worker, which frees it */
	struct rcu_head rcu;
	struct list_head registrations;	/* RCU */
	unsigned int nr_registrations;
	struct account *account;	/* of the opener of the socket */
	const struct net *net;		/* of the socket, as is port */
	u32 port;
	struct stats_view view;		/* holds references to the namespaces */
	u64 format;			/* version and groups, of the last registration */
	struct batch batch;		/* used by the worker */
};

/* A listener for the socket of this request, with the namespaces of the current task, or NULL. */
struct listener *listener_alloc(const struct sk_buff *request, u64 format);

/* Context: the worker; it frees the batch. */
void listener_free(struct listener *l);

/*
 * listener_join() - add @r to its registrations, or the CPUs of @r to one that is there
 *
 * Context: nothing else changes the registrations.
 * Return: 1 if @r was added; 0 if its CPUs were, and @r is still the caller's; -EUSERS.
 */
int listener_join(struct listener *l, struct registration *r);

/* Removes these CPUs from all its registrations.  Context: as listener_join(). */
void listener_remove_cpus(struct listener *l, const struct cpumask *cpus);

/* Adds the records of this exit that it wants to its batch.  Context: the worker. */
void listener_deliver(struct listener *l, struct exit *exit);
/* Counts them as lost: there is no record.  Context: the worker. */
void listener_lose(struct listener *l, const struct exit *exit);

#endif /* TASKRT_LISTENER_H */
