// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/taskrt.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <net/sock.h>
#include "accounting.h"
#include "compat/cgroups.h"
#include "netlink/listener.h"
#include "policy/coarse.h"
#include "policy/quota.h"
#include "task/worker.h"

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
	/* Set the whole range at once: a list may repeat the longest range hundreds of times. */
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

struct listener *listener_alloc(const struct sk_buff *request)
{
	struct listener *l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->net = sock_net(NETLINK_CB(request).sk);
	l->port = NETLINK_CB(request).portid;
	l->view.pids = get_pid_ns(task_active_pid_ns(current));
	l->view.users = get_user_ns(current_user_ns());
	l->view.cgroups = cgroups_get(cgroups_root());
	batch_init(&l->batch, NETLINK_CB(request).sk);
	return l;
}

/* kfree_rcu() is not used, because it was seen to keep interrupts off for 111 us. */
static void listener_free_rcu(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct listener, rcu));
}

void listener_free(struct listener *l)
{
	/* Nothing reads it now: the worker delivers no exit, and no request finds the listener. */
	struct registration *r = rcu_dereference_protected(l->registration, worker_is_current());

	if (r)
		registration_free(r);
	put_pid_ns(l->view.pids);
	put_user_ns(l->view.users);
	cgroups_put(l->view.cgroups);
	batch_exit(&l->batch);
	/* A task that closes another socket may still see this listener in the table. */
	call_rcu(&l->rcu, listener_free_rcu);
}

/* Return: which records of the exit are wanted: a mask of TASKRT_ENTITIES_*. */
static u32 listener_wants(const struct registration *r, const struct exit *exit)
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

void listener_match(struct listener *l, const struct exit *exit)
{
	const struct registration *r;

	l->wanted.entities = 0;
	/* A task outside the listener's pid namespace is not visible to it. */
	if (!stats_pid(&l->view, exit->thread->exit.tid))
		return;
	rcu_read_lock();
	r = rcu_dereference(l->registration);
	if (r) {
		l->wanted.entities = listener_wants(r, exit);
		l->wanted.version = r->version;
		l->wanted.groups = r->groups;
		l->wanted.exact = r->rights.exact;
	}
	rcu_read_unlock();
}

void listener_deliver(struct listener *l, const struct exit *exit)
{
	const struct wanted *wanted = &l->wanted;
	struct stats_view view = l->view;

	if (!wanted->entities)
		return;
	if (exit->dropped) {
		batch_skip(&l->batch, hweight32(wanted->entities));
		return;
	}
	view.version = wanted->version;
	view.groups = wanted->groups;
	view.valid = accounting_valid();
	view.measured = accounting_measured();
	view.hidden = wanted->exact ? 0 : VALUES_OF_CYCLES;
	view.coarse_ns = wanted->exact ? 0 : coarse_parameter();
	batch_add(&l->batch, exit, wanted->entities, &view);
}
