// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/taskrt.h>
#include <net/netlink.h>
#include "netlink/registration.h"
#include "policy/quota.h"

struct registration *registration_alloc(const struct sk_buff *request)
{
	struct registration *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!r)
		return ERR_PTR(-ENOMEM);
	r->cpus = kzalloc(cpumask_size(), GFP_KERNEL_ACCOUNT);
	if (r->cpus)
		err = access_listener_init(&r->rights, request);
	if (err) {
		kfree(r->cpus);
		kfree(r);
		return ERR_PTR(err);
	}
	r->entities = TASKRT_ENTITIES_THREADS | TASKRT_ENTITIES_PROCESSES;
	return r;
}

/* Parses one number.  A number that is too large becomes nr_cpu_ids. */
static const char *registration_parse_cpu(const char *text, unsigned int *cpu)
{
	unsigned int value = 0;

	if (!isdigit(*text))
		return NULL;
	for (; isdigit(*text); text++)
		value = min(value * 10 + (*text - '0'), nr_cpu_ids);
	*cpu = value;
	return text;
}

static const char *registration_parse_range(const char *text, struct cpumask *cpus,
					    const char **fault)
{
	unsigned int first, last;

	*fault = "CPUMASK: must be \"all\", or CPUs and ranges like 0-3,7";
	text = registration_parse_cpu(text, &first);
	if (!text)
		return NULL;
	last = first;
	if (*text == '-')
		text = registration_parse_cpu(text + 1, &last);
	if (!text)
		return NULL;
	if (last < first) {
		*fault = "CPUMASK: a range ends before it begins";
		return NULL;
	}
	*fault = "CPUMASK: one of the CPUs is not possible on this system";
	if (last >= nr_cpu_ids)
		return NULL;
	/* Not CPU by CPU: a list may repeat the longest range hundreds of times. */
	bitmap_set(cpumask_bits(cpus), first, last - first + 1);
	return cpumask_subset(cpus, cpu_possible_mask) ? text : NULL;
}

static const char *registration_parse_list(const char *text, struct cpumask *cpus)
{
	const char *fault = NULL;

	for (;;) {
		text = registration_parse_range(text, cpus, &fault);
		if (!text)
			return fault;
		if (!*text)
			return NULL;
		if (*text++ != ',')
			return "CPUMASK: a character is not a digit, '-' or ','";
	}
}

int registration_parse_cpus(struct cpumask *cpus, const struct nlattr *attr,
			    struct netlink_ext_ack *extack)
{
	const char *text = nla_data(attr), *fault = NULL;
	const int length = nla_len(attr);

	cpumask_clear(cpus);
	if (length > TASKRT_CPUMASK_MAX)
		fault = "CPUMASK: too long";
	else if (!length || text[length - 1])
		fault = "CPUMASK: must end with a NUL";
	else if (strlen(text) != length - 1)
		fault = "CPUMASK: has a NUL before its end";
	else if (length == 1)
		fault = "CPUMASK: empty";
	else if (!strcmp(text, "all"))
		cpumask_copy(cpus, cpu_possible_mask);
	else
		fault = registration_parse_list(text, cpus);
	if (!fault)
		return 0;
	NL_SET_BAD_ATTR(extack, attr);
	if (extack)
		extack->_msg = fault;
	return -EINVAL;
}

void registration_free(struct registration *r)
{
	filter_free(&r->filter);
	access_listener_exit(&r->rights);
	kfree(r->cpus);
	kfree(r);
}

static void registration_free_rcu(struct rcu_head *rcu)
{
	struct registration *r = container_of(rcu, struct registration, rcu);
	struct quota *quota = r->quota;

	registration_free(r);
	quota_left(quota, QUOTA_LISTENERS);
}

void registration_free_later(struct registration *r)
{
	if (!r)
		return;
	quota_replaced(r->quota, QUOTA_LISTENERS);
	call_rcu(&r->rcu, registration_free_rcu);
}

u32 registration_wants(const struct registration *r, const struct exit *exit)
{
	const struct thread *t = exit->thread;
	u32 there = TASKRT_ENTITIES_THREADS;

	if (exit->last)
		there |= TASKRT_ENTITIES_PROCESSES;
	if (!(r->entities & there) || !cpumask_test_cpu(t->exit_cpu, r->cpus) ||
	    !filter_fits(&r->filter, exit->task, t->exit.tgid) ||
	    !access_reported(&r->rights, exit->task, t->exit.tgid, t->dumpable, r->filter.own))
		return 0;
	return r->entities & there;
}
