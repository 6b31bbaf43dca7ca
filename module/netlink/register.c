// SPDX-License-Identifier: GPL-2.0-only
/* REGISTER, DEREGISTER and LIST: the registrations of a socket for exits. */
#include <linux/slab.h>
#include <linux/taskrt.h>
#include <net/genetlink.h>
#include "hook/accounting.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "netlink/listener.h"
#include "netlink/message.h"

static int register_put_cpus(struct sk_buff *skb, const struct cpumask *cpus)
{
	char *text = kmalloc(TASKRT_CPUMASK_MAX, GFP_KERNEL);
	int err = -ENOMEM;

	if (!text)
		return err;
	snprintf(text, TASKRT_CPUMASK_MAX, "%*pbl", cpumask_pr_args(cpus));
	err = nla_put_string(skb, TASKRT_A_CPUMASK, text);
	kfree(text);
	return err;
}

static int register_reply_cpus(struct genl_info *info, const struct cpumask *cpus)
{
	struct sk_buff *reply = genlmsg_new(nla_total_size(TASKRT_CPUMASK_MAX), GFP_KERNEL);
	void *header;

	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &family, 0, info->genlhdr->cmd);
	if (!header || register_put_cpus(reply, cpus)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
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

/* Exits are seen as long as accounting is held, until accounting_put().  Return: 0 if it is. */
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

/* All but the filter's cgroup: to find that may take long, and who may not listen need not know. */
static int register_parse(struct sk_buff *skb, struct registration *r, struct stats_view *format,
			  struct genl_info *info)
{
	int err = register_hold_accounting(info);

	if (err)
		return err;
	err = register_parse_cpus(r->cpus, info) ?: register_parse_entities(r, info) ?:
	      message_format(format, info->attrs[TASKRT_A_VERSION],
			     info->attrs[TASKRT_A_GROUPS], info->extack) ?:
	      filter_parse(&r->filter, info->attrs[TASKRT_A_FILTER], info->extack) ?:
	      listener_check(skb, r, info->extack);
	accounting_put();
	return err;
}

static int register_add(struct sk_buff *skb, struct registration *r,
			const struct stats_view *format, struct genl_info *info)
{
	int err = register_hold_accounting(info);

	if (err)
		return err;
	err = listener_register(skb, r, format, info->extack);
	accounting_put();
	return err;
}

int register_do(struct sk_buff *skb, struct genl_info *info)
{
	struct registration *r = registration_alloc(skb);
	struct stats_view format = {};
	struct cpumask *accepted;
	int err = -ENOMEM;

	if (IS_ERR(r))
		return PTR_ERR(r);
	accepted = kzalloc(cpumask_size(), GFP_KERNEL);
	if (accepted)
		err = register_parse(skb, r, &format, info) ?:
		      filter_find_cgroup(&r->filter, info->attrs[TASKRT_A_FILTER], info->extack);
	if (!err) {
		cpumask_copy(accepted, r->cpus);
		err = register_add(skb, r, &format, info);
	}
	if (err)
		registration_free(r);
	else
		err = register_reply_cpus(info, accepted);
	kfree(accepted);
	return err;
}

int deregister_do(struct sk_buff *skb, struct genl_info *info)
{
	struct cpumask *cpus = kzalloc(cpumask_size(), GFP_KERNEL);
	int err;

	if (!cpus)
		return -ENOMEM;
	err = register_parse_cpus(cpus, info);
	if (!err) {
		listener_deregister(skb, cpus);
		err = register_reply_cpus(info, cpus);
	}
	kfree(cpus);
	return err;
}

static int register_put_registration(struct sk_buff *reply, const struct registration *r,
				     const struct stats_view *view)
{
	struct nlattr *nest = nla_nest_start(reply, TASKRT_A_REGISTRATION);
	int err = nest ? register_put_cpus(reply, r->cpus) : -EMSGSIZE;

	if (!err)
		err = nla_put_u32(reply, TASKRT_A_ENTITIES, r->entities);
	if (!err)
		err = filter_put(reply, &r->filter, view->pids);
	if (nest)
		nla_nest_end(reply, nest);
	return err;
}

static int register_put_listener(struct sk_buff *reply, const struct listener *l)
{
	struct batch_progress progress = {};
	const struct registration *r;
	int err;

	if (l)
		batch_progress(&l->batch, &progress);
	err = nla_put_u64_64bit(reply, TASKRT_A_SEQ, progress.sequence, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(reply, TASKRT_A_LOST, progress.lost, TASKRT_A_PAD) ?:
	      nla_put_u64_64bit(reply, TASKRT_A_BACKLOG, progress.backlog_bytes, TASKRT_A_PAD);
	if (!l)
		return err;
	list_for_each_entry(r, &l->registrations, node)
		err = err ?: register_put_registration(reply, r, &l->view);
	return err;
}

/* A list of CPUs is longest if it names every other CPU. */
static size_t register_list_size(void)
{
	const size_t cpus = min_t(size_t, 3 * nr_cpu_ids + 8, TASKRT_CPUMASK_MAX);

	return 64 + LISTENER_REGISTRATIONS_MAX * (nla_total_size(cpus) + 64);
}

int list_do(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply = genlmsg_new(register_list_size(), GFP_KERNEL);
	void *header;
	int err;

	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &family, 0, TASKRT_CMD_LIST);
	err = header ? listener_show(skb, register_put_listener, reply) : -EMSGSIZE;
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}
