/* SPDX-License-Identifier: GPL-2.0-only */
/* Of which exits somebody wants to be told: CPUs, and conditions. */
#ifndef TASKRT_REGISTRATION_H
#define TASKRT_REGISTRATION_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include "netlink/access.h"
#include "netlink/filter.h"
#include "track/exit.h"

struct netlink_ext_ack;
struct nlattr;

struct registration {
	struct list_head node;		/* of its listener */
	struct cpumask *cpus;
	u32 entities;			/* TASKRT_ENTITIES_* */
	struct filter filter;
	struct access_listener rights;	/* of who asked for it */
	struct rcu_head rcu;
};

/*
 * registration_alloc() - with the right of who sent the request
 * Without CPUs and conditions.  Return: an ERR_PTR: -ENOMEM, -EPERM.
 */
struct registration *registration_alloc(const struct sk_buff *request);
void registration_free(struct registration *r);

/* It was taken out of its list, in which somebody may be looking at it. */
void registration_free_later(struct registration *r);

/*
 * Strictly "all", or numbers and ranges between commas; none may be of a CPU
 * that cannot exist.  Return: 0, or -EINVAL with a text.
 */
int registration_parse_cpus(struct cpumask *cpus, const struct nlattr *attr,
			    struct netlink_ext_ack *extack);

/* May they be one? */
bool registration_same_conditions(const struct registration *a, const struct registration *b);

/* What of this exit is to be told, TASKRT_ENTITIES_*.  RCU read lock held. */
u32 registration_wants(const struct registration *r, const struct exit *exit);

#endif /* TASKRT_REGISTRATION_H */
