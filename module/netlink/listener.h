/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A listener, to which exits are delivered.  It belongs to a socket, and exists until the socket is
 * closed.  It has a batch, the namespaces of the task that registered first, and at most one
 * registration, with the rights of the task that made it.
 *
 * A registration says which exits the listener wants, by CPU and by filter, and in which form.
 * REGISTER publishes a new one, which keeps the CPUs of the old one: each exit is matched against
 * either of them, never a mixture.  Only DEREGISTER changes it in place: it removes CPUs.
 */
#ifndef TASKRT_LISTENER_H
#define TASKRT_LISTENER_H

#include <linux/cpumask.h>
#include <linux/skbuff.h>
#include "netlink/batch.h"
#include "netlink/filter.h"
#include "policy/access.h"

struct netlink_ext_ack;
struct nlattr;
struct quota;

struct registration {
	struct cpumask *cpus;
	u32 version;			/* of struct taskrt_stats */
	u32 groups;			/* TASKRT_GROUP_* */
	u32 entities;			/* TASKRT_ENTITIES_* */
	struct filter filter;
	struct access_listener rights;	/* of the task that made it */
	struct quota *quota;		/* of its listener */
	struct rcu_head rcu;
};

/*
 * registration_alloc() - make a registration with the rights of the request's sender
 *
 * It has no CPUs and no conditions yet.
 * Return: the registration, or an ERR_PTR: -ENOMEM; -EPERM as access_listener_init().
 */
struct registration *registration_alloc(const struct sk_buff *request);
void registration_free(struct registration *r);

/* Frees a registration that no listener refers to, after a grace period.  NULL: does nothing. */
void registration_free_later(struct registration *r);

/*
 * registration_parse_cpus() - parse CPUMASK
 *
 * The string is "all", or numbers and ranges of possible CPUs, separated by commas.
 * Return: 0, or -EINVAL with a text.
 */
int registration_parse_cpus(struct cpumask *cpus, const struct nlattr *attr,
			    struct netlink_ext_ack *extack);

/* What a listener wants of an exit, as its registration says. */
struct wanted {
	u32 entities;			/* 0: nothing */
	u32 version;
	u32 groups;
	bool exact;			/* with exact times */
};

struct listener {
	struct list_head node;
	struct hlist_node same_hash;	/* in the table, by the port of the socket */
	struct llist_node closed;	/* queued for the worker, which frees it */
	struct rcu_head rcu;
	struct registration __rcu *registration;	/* NULL: DEREGISTER removed all CPUs */
	struct quota *quota;		/* of the opener of the socket */
	const struct net *net;		/* of the socket */
	u32 port;			/* of the socket */
	struct stats_view view;		/* holds references to the namespaces */
	struct batch batch;		/* used by the worker */
	struct wanted wanted;		/* used by the worker */
};

/* Return: a listener for the request's socket, with the current task's namespaces; or NULL. */
struct listener *listener_alloc(const struct sk_buff *request);

/* Frees a listener, with all that it has.  Context: the worker. */
void listener_free(struct listener *l);

/*
 * listener_match() - set l->wanted to what the listener wants of this exit
 * listener_deliver() - add what it wants to its batch; if the exit was dropped, count it
 *
 * Context: the worker.  An exit that was not dropped is sampled between the two calls.
 */
void listener_match(struct listener *l, const struct exit *exit);
void listener_deliver(struct listener *l, const struct exit *exit);

#endif /* TASKRT_LISTENER_H */
