// SPDX-License-Identifier: GPL-2.0-only
/* REGISTER, DEREGISTER and LIST: the registration of a socket for exits. */
#include <linux/slab.h>
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include <net/sock.h>
#include "accounting.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/listeners.h"
#include "netlink/message.h"

/*
 * An answer, and memory for the text of a CPUMASK.  Both are allocated first, so that a request
 * that fails for lack of memory has changed nothing.
 */
struct register_page {
	struct sk_buff *reply;
	void *header;
	char *text;
};

static void register_page_free(struct register_page *page)
{
	kfree(page->text);
	nlmsg_free(page->reply);
}

static int register_page_init(struct register_page *page, size_t size, struct genl_info *info)
{
	page->text = kmalloc(TASKRT_CPUMASK_MAX, GFP_KERNEL);
	page->reply = genlmsg_new(size, GFP_KERNEL);
	if (page->text && page->reply) {
		page->header = genlmsg_put_reply(page->reply, info, &family, 0,
						 info->genlhdr->cmd);
		if (page->header)
			return 0;
	}
	register_page_free(page);
	return -ENOMEM;
}

static int register_page_send(struct register_page *page, struct genl_info *info)
{
	kfree(page->text);
	genlmsg_end(page->reply, page->header);
	return genlmsg_reply(page->reply, info);
}

static int register_put_cpus(struct register_page *page, const struct cpumask *cpus)
{
	const int length = snprintf(page->text, TASKRT_CPUMASK_MAX, "%*pbl", cpumask_pr_args(cpus));

	if (length >= TASKRT_CPUMASK_MAX)
		return -EMSGSIZE;
	return nla_put_string(page->reply, TASKRT_A_CPUMASK, page->text);
}

static int register_parse_cpus(struct cpumask *cpus, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TASKRT_A_CPUMASK];

	if (attr)
		return registration_parse_cpus(cpus, attr, info->extack);
	NL_SET_ERR_MSG(info->extack, "CPUMASK is missing");
	return -EINVAL;
}

static int register_parse_entities(struct registration *r, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TASKRT_A_ENTITIES];

	if (attr)
		r->entities = nla_get_u32(attr);
	if (r->entities)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, attr, "ENTITIES: threads or processes are needed");
	return -EINVAL;
}

static int register_parse_format(struct registration *r, struct genl_info *info)
{
	struct stats_view view = {};
	int err = message_format(&view, STATS_GROUPS, info->attrs[TASKRT_A_VERSION],
				 info->attrs[TASKRT_A_GROUPS], info->extack);

	r->version = view.version;
	r->groups = view.groups;
	return err;
}

/* If exits are seen, holds accounting on until accounting_put().  Return: 0 if it does. */
static int register_hold_accounting(struct genl_info *info)
{
	if (!accounting_get()) {
		NL_SET_ERR_MSG(info->extack, "accounting is switched off (parameter enabled)");
		return -ENODATA;
	}
	if (accounting_sees_exits())
		return 0;
	accounting_put();
	NL_SET_ERR_MSG(info->extack,
		       "exits are not seen: see sched_switch and sched_process_exit in INFO");
	return -EOPNOTSUPP;
}

/*
 * Parses everything but the filter's cgroup.  The lookup of a cgroup may be slow, so it comes after
 * the check of the right to listen.
 */
static int register_parse(struct sk_buff *skb, struct registration *r, struct genl_info *info)
{
	int err = register_hold_accounting(info);

	if (err)
		return err;
	err = register_parse_cpus(r->cpus, info) ?: register_parse_entities(r, info) ?:
	      register_parse_format(r, info) ?:
	      filter_parse(&r->filter, info->attrs[TASKRT_A_FILTER], info->extack) ?:
	      listeners_check(skb, r, info->extack);
	accounting_put();
	return err;
}

static int register_add(struct sk_buff *skb, struct registration *r, struct genl_info *info)
{
	int err = register_hold_accounting(info);

	if (err)
		return err;
	err = listeners_register(skb, r, info->extack);
	accounting_put();
	return err;
}

/* Checks that the socket has room, because the answer must not be lost after the registration. */
static int register_check_room(const struct sk_buff *request, const struct register_page *page,
			       struct genl_info *info)
{
	const struct sock *socket = NETLINK_CB(request).sk;
	const unsigned int used = atomic_read(&socket->sk_rmem_alloc);

	if (!used || used + page->reply->truesize < READ_ONCE(socket->sk_rcvbuf))
		return 0;
	NL_SET_ERR_MSG(info->extack, "the receive buffer of the socket is full");
	return -ENOBUFS;
}

/* Consumes the registration. */
static int register_answer(struct sk_buff *skb, struct registration *r, struct genl_info *info)
{
	struct register_page page;
	int err = register_page_init(&page, nla_total_size(TASKRT_CPUMASK_MAX), info);

	if (!err) {
		/* Put the CPUs first: once @r is added, another task may have it freed. */
		err = register_check_room(skb, &page, info) ?:
		      register_put_cpus(&page, r->cpus) ?: register_add(skb, r, info);
		if (!err)
			return register_page_send(&page, info);
		register_page_free(&page);
	}
	registration_free(r);
	return err;
}

int register_do(struct sk_buff *skb, struct genl_info *info)
{
	struct registration *r;
	int err = family_check(info->extack) ?: family_check_alone(skb, info->nlhdr, info->extack);

	if (err)
		return err;
	r = registration_alloc(skb);
	if (IS_ERR(r))
		return PTR_ERR(r);
	err = register_parse(skb, r, info) ?:
	      filter_find_cgroup(&r->filter, info->attrs[TASKRT_A_FILTER], info->extack);
	if (!err)
		return register_answer(skb, r, info);
	registration_free(r);
	return err;
}

static int deregister_answer(struct sk_buff *skb, const struct cpumask *cpus,
			     struct genl_info *info)
{
	struct register_page page;
	int err = register_page_init(&page, nla_total_size(TASKRT_CPUMASK_MAX), info);

	if (err)
		return err;
	err = register_put_cpus(&page, cpus);
	if (err) {
		register_page_free(&page);
		return err;
	}
	listeners_deregister(skb, cpus);
	return register_page_send(&page, info);
}

int deregister_do(struct sk_buff *skb, struct genl_info *info)
{
	struct cpumask *cpus = kzalloc(cpumask_size(), GFP_KERNEL);
	int err;

	if (!cpus)
		return -ENOMEM;
	err = register_parse_cpus(cpus, info) ?: deregister_answer(skb, cpus, info);
	kfree(cpus);
	return err;
}

static int register_put_registration(struct register_page *page, const struct registration *r,
				     const struct stats_view *view)
{
	struct nlattr *nest = nla_nest_start(page->reply, TASKRT_A_REGISTRATION);
	int err = nest ? register_put_cpus(page, r->cpus) : -EMSGSIZE;

	if (!err)
		err = nla_put_u32(page->reply, TASKRT_A_ENTITIES, r->entities) ?:
		      nla_put_u32(page->reply, TASKRT_A_VERSION, r->version) ?:
		      nla_put_u32(page->reply, TASKRT_A_GROUPS, r->groups);
	if (!err)
		err = filter_put(page->reply, &r->filter, view->pids);
	if (nest)
		nla_nest_end(page->reply, nest);
	return err;
}

static int register_put_listener(const struct listener *l, void *context)
{
	struct register_page *page = context;
	struct sk_buff *reply = page->reply;
	struct batch_progress progress = {};
	const struct registration *r;
	int err;

	if (l)
		batch_progress(&l->batch, &progress);
	err = nla_put_u64_64bit(reply, TASKRT_A_SEQ, progress.sequence, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(reply, TASKRT_A_LOST, progress.dropped, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(reply, TASKRT_A_BACKLOG, progress.backlog_bytes, TASKRT_A_PAD);
	r = l ? rcu_dereference(l->registration) : NULL;
	return err ?: r ? register_put_registration(page, r, &l->view) : 0;
}

/*
 * Pairs with gaps, such as 0-1,3-4, make the longest list of CPUs.  It takes at most 3 bytes a CPU,
 * up to 1362 CPUs; with more, TASKRT_CPUMASK_MAX limits it.
 */
static size_t register_list_size(void)
{
	const size_t cpus = min_t(size_t, 3 * nr_cpu_ids + 8, TASKRT_CPUMASK_MAX);

	return 192 + nla_total_size(cpus) + TASKRT_FILTER_TGIDS_MAX * nla_total_size(sizeof(u32));
}

int list_do(struct sk_buff *skb, struct genl_info *info)
{
	struct register_page page;
	int err = register_page_init(&page, register_list_size(), info);

	if (err)
		return err;
	err = listeners_show(skb, register_put_listener, &page);
	if (!err)
		return register_page_send(&page, info);
	register_page_free(&page);
	return err;
}
