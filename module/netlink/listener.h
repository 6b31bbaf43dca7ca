/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is told of exits.  A listener is a socket, and lives as long as that:
 * it has registrations, each with the right of who asked for it, a view of the
 * system as of who asked first, and a batch of its own.
 */
#ifndef TASKRT_LISTENER_H
#define TASKRT_LISTENER_H

#include <linux/skbuff.h>
#include "netlink/batch.h"
#include "netlink/registration.h"

struct netlink_ext_ack;

/* Of one listener; those with the same conditions are one. */
#define LISTENER_REGISTRATIONS_MAX	16

struct listener {
	struct list_head node;
	struct llist_node closed;	/* its socket was; of the worker */
	struct list_head registrations;	/* RCU */
	kuid_t user;			/* who opened the socket */
	struct stats_view view;		/* with references */
	u64 format;			/* its version and groups: of one registration */
	struct batch batch;		/* the worker's */
};

struct listener_counts {
	u32 listeners;
	struct batch_counts batches;
};

extern const struct exit_sink listener_sink;

/* Module load and unload: whoever still listens is told that nothing comes any more. */
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

/* Takes these CPUs out of all registrations of the socket. */
void listener_deregister(const struct sk_buff *request, const struct cpumask *cpus);

/*
 * listener_show() - calls show with the socket's listener, or with NULL
 * Its registrations do not change meanwhile.  Return: what show returned.
 */
int listener_show(const struct sk_buff *request,
		  int (*show)(struct sk_buff *reply, const struct listener *l),
		  struct sk_buff *reply);

void listener_counts(struct listener_counts *counts);

#endif /* TASKRT_LISTENER_H */
