// SPDX-License-Identifier: GPL-2.0-only
/* ARM and DISARM: attach a flight recorder to a thread, and detach it. */
#include <linux/netlink.h>
#include <linux/sched/task.h>
#include <linux/taskrt.h>
#include <linux/taskrt_numbers.h>
#include <net/genetlink.h>
#include "accounting.h"
#include "netlink/command.h"
#include "netlink/family.h"
#include "observe/armed.h"
#include "policy/access.h"

#define DEPTH_DEFAULT		64
#define THRESHOLD_DEFAULT	NSEC_PER_MSEC

static u64 arm_u64_or(const struct nlattr *attr, u64 otherwise)
{
	return attr ? nla_get_u64(attr) : otherwise;
}

static u32 arm_u32_or(const struct nlattr *attr, u32 otherwise)
{
	return attr ? nla_get_u32(attr) : otherwise;
}

/* Adds the child states.  A client that does not know a child state sees its parent instead. */
static u32 arm_with_children(u32 states)
{
	u8 state;

	/* A woken thread may be throttled at once, so WOKEN includes THROTTLED. */
	if (states & BIT(TASKRT_STATE_WOKEN))
		states |= BIT(TASKRT_STATE_THROTTLED);
	for (state = 0; state < NR_STATES; state++)
		if (states & BIT(taskrt_state_parent(state)))
			states |= BIT(state);
	return states;
}

static int arm_parse(struct recorder_options *options, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;

	options->depth = arm_u32_or(attrs[TASKRT_A_DEPTH], DEPTH_DEFAULT);
	options->threshold = arm_u64_or(attrs[TASKRT_A_THRESHOLD], THRESHOLD_DEFAULT);
	options->alert_over = arm_u64_or(attrs[TASKRT_A_ALERT_OVER], 0);
	options->states = arm_with_children(arm_u32_or(attrs[TASKRT_A_STATES],
						       TASKRT_ALERT_STATES));
	if (attrs[TASKRT_A_ALERT_OVER] && !options->alert_over) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[TASKRT_A_ALERT_OVER],
				    "ALERT_OVER: must not be 0; omit it for no such alerts");
		return -EINVAL;
	}
	if (attrs[TASKRT_A_STATES] && !options->states) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[TASKRT_A_STATES],
				    "STATES: at least one state is needed");
		return -EINVAL;
	}
	return 0;
}

static int arm_explain(struct genl_info *info, int err)
{
	if (err == -EUSERS)
		NL_SET_ERR_MSG(info->extack,
			       "the user has armed too many threads (parameter armed_per_user)");
	else if (err == -ENOSPC)
		NL_SET_ERR_MSG(info->extack, "too many threads are armed (parameter armed_max)");
	else if (err == -EAGAIN)
		NL_SET_ERR_MSG(info->extack,
			       "what the user has disarmed is not freed yet: try again");
	else if (err == -EBUSY)
		NL_SET_ERR_MSG(info->extack,
			       "another socket has armed the thread; to take it over needs CAP_PERFMON");
	else if (err == -ENODATA)
		NL_SET_ERR_MSG(info->extack, "the thread is not tracked, or has just ended");
	return err;
}

static struct armed_by arm_by(const struct sk_buff *skb, const struct genl_info *info,
			      const struct access_requester *who)
{
	return (struct armed_by){
		.socket = NETLINK_CB(skb).sk,
		.port = info->snd_portid,
		.opener = who->opener,
		.reserve = access_reserve(who),
		.privileged = access_exact(who),
	};
}

static int arm(struct sk_buff *skb, struct genl_info *info, struct task_struct *task,
	       const struct access_requester *who)
{
	const struct armed_by by = arm_by(skb, info, who);
	struct recorder_options options;
	int err = arm_parse(&options, info) ?: armed_add(&options, task, &by);

	if (!err)
		accounting_armed();
	return arm_explain(info, err);
}

/* Calls @act with the task of TID, if the requester may read it and accounting is on. */
static int arm_with_task(struct sk_buff *skb, struct genl_info *info,
			 int (*act)(struct sk_buff *skb, struct genl_info *info,
				    struct task_struct *task,
				    const struct access_requester *who))
{
	struct access_requester who;
	struct task_struct *task;
	int err;

	if (!info->attrs[TASKRT_A_TID]) {
		NL_SET_ERR_MSG(info->extack, "TID is missing");
		return -EINVAL;
	}
	err = access_requester_init(&who, skb);
	if (err)
		return err;
	task = access_task(&who, info->attrs[TASKRT_A_TID], PIDTYPE_PID, info->extack);
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (accounting_get()) {
		err = act(skb, info, task, &who);
		accounting_put();
	} else {
		NL_SET_ERR_MSG(info->extack, "accounting is switched off (parameter enabled)");
		err = -ENODATA;
	}
	put_task_struct(task);
	return err;
}

static int arm_disarm(struct sk_buff *skb, struct genl_info *info, struct task_struct *task,
		      const struct access_requester *who)
{
	const struct armed_by by = arm_by(skb, info, who);
	int err = armed_remove(task, &by);

	if (err == -ENODATA)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[TASKRT_A_TID],
				    "TID: the thread is not armed");
	else if (err == -EPERM)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[TASKRT_A_TID],
				    "TID: another socket has armed the thread; to disarm it needs CAP_PERFMON");
	return err;
}

int arm_do(struct sk_buff *skb, struct genl_info *info)
{
	return family_check(info->extack) ?: family_check_alone(skb, info->nlhdr, info->extack) ?:
	       arm_with_task(skb, info, arm);
}

int disarm_do(struct sk_buff *skb, struct genl_info *info)
{
	return arm_with_task(skb, info, arm_disarm);
}

static int arm_on_release(struct notifier_block *notifier, unsigned long event, void *data)
{
	const struct netlink_notify *closed = data;

	if (event == NETLINK_URELEASE && closed->protocol == NETLINK_GENERIC)
		armed_socket_closed(closed->net, closed->portid);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = arm_on_release,
};

int arm_init(void)
{
	return netlink_register_notifier(&release_notifier);
}

void arm_exit(void)
{
	netlink_unregister_notifier(&release_notifier);
}
