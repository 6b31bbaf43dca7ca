/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A registration: the exits that a listener wants, by CPU and by filter, and in which form.
 *
 * REGISTER replaces it as a whole, so that an exit sees either the old one or the new one.
 * Only its CPUs change in place, when DEREGISTER removes some.
 */
#ifndef TASKRT_REGISTRATION_H
#define TASKRT_REGISTRATION_H

#include <linux/cpumask.h>
#include "netlink/filter.h"
#include "policy/access.h"
#include "track/exit.h"

struct quota;
struct netlink_ext_ack;
struct nlattr;

struct registration {
	struct cpumask *cpus;
	u32 version;			/* of struct taskrt_stats */
	u32 groups;			/* TASKRT_GROUP_* */
	u32 entities;			/* TASKRT_ENTITIES_* */
	struct filter filter;
	struct access_listener rights;	/* of the task that made it */
	struct quota *quota;		/* of the listener that has, or had, it */
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

/* Frees, after a grace period, a registration that listeners no longer refer to.  NULL: nothing. */
void registration_free_later(struct registration *r);

/*
 * registration_parse_cpus() - parse CPUMASK
 *
 * The string is "all", or numbers and ranges of possible CPUs, separated by commas.
 * Return: 0, or -EINVAL with a text.
 */
int registration_parse_cpus(struct cpumask *cpus, const struct nlattr *attr,
			    struct netlink_ext_ack *extack);

/*
 * registration_wants() - the records of this exit that are to be delivered
 *
 * Context: RCU read lock held.
 * Return: a mask of TASKRT_ENTITIES_*; 0 for none.
 */
u32 registration_wants(const struct registration *r, const struct exit *exit);

#endif /* TASKRT_REGISTRATION_H */
