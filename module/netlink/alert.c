// SPDX-License-Identifier: GPL-2.0-only
/* ALERT: the events of a flight recorder, in as many messages as are needed. */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/taskrt.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "netlink/command.h"
#include "netlink/family.h"
#include "observe/recorder.h"

#define MESSAGE_SIZE	NLMSG_DEFAULT_SIZE
#define FRAME_LENGTH	127		/* the limit of a name: an event must fit into a message */

/* The writer of one alert, with the message that is being filled. */
struct alert_writer {
	const struct recorder_alert *alert;
	struct sk_buff *skb;
	void *header;
	struct nlattr *nest;
};

/*
 * The names of the frames of the event that is being added.  A lookup takes long, so each is done
 * only once.  No lock is needed: see recorder_next_alert().
 */
static struct {
	u32 known;			/* how many names are known, from the first on */
	char text[TASKRT_FRAMES_MAX][FRAME_LENGTH + 1];
} names;

/* Long names are truncated, and an address without a name is not revealed. */
static void alert_look_up(char *name, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN];

	sprint_symbol(symbol, address);
	strscpy(name, strncmp(symbol, "0x", 2) ? symbol : "?", FRAME_LENGTH + 1);
}

/* Return: the name of frame @i.  The names of the frames before it must be known. */
static const char *alert_name_of(const struct recorder_event *e, u32 i)
{
	if (names.known == i)
		alert_look_up(names.text[names.known++], e->frames[i]);
	return names.text[i];
}

static bool alert_begins_with_any(const char *symbol, const char * const *prefixes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strncmp(symbol, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* True for functions of this module, and for functions through which the kernel calls them. */
static bool alert_is_hook(const char *symbol)
{
	static const char * const prefixes[] = {
		"__traceiter_", "trace_", "kprobe_", "kretprobe_", "pre_handler_", "aggr_pre_",
		"rethook_", "arch_rethook_", "ftrace_", "arch_ftrace_", "optimized_callback",
		"arch_stack_walk", "stack_trace_save", "?",
	};

	return strstr(symbol, "[" KBUILD_MODNAME "]") ||
	       alert_begins_with_any(symbol, prefixes, ARRAY_SIZE(prefixes));
}

/* True for functions that implement a lock, as opposed to their callers. */
static bool alert_is_of_lock(const char *symbol)
{
	static const char * const prefixes[] = {
		"mutex_", "__mutex_", "_mutex_", "ww_mutex_", "__ww_mutex_", "down_", "__down",
		"down+", "rwsem_", "rt_mutex_", "__rt_mutex_", "rt_spin_", "rt_read_",
		"rt_write_", "rwbase_", "__rwbase_", "percpu_", "__percpu_",
	};

	return alert_begins_with_any(symbol, prefixes, ARRAY_SIZE(prefixes));
}

static int alert_put_caller(struct sk_buff *skb, const struct recorder_event *e)
{
	const char *name;
	u32 i;

	for (i = 0; i < e->nr_frames; i++) {
		name = alert_name_of(e, i);
		if (!alert_is_hook(name) && !alert_is_of_lock(name))
			return nla_put_string(skb, TASKRT_EVENT_A_CALLER, name);
	}
	return 0;
}

/* Puts the frames of an event, without the first ones that belong to a hook. */
static int alert_put_frames(struct sk_buff *skb, const struct recorder_event *e)
{
	u32 i = 0;
	int err = 0;

	while (i < e->nr_frames && alert_is_hook(alert_name_of(e, i)))
		i++;
	for (; i < e->nr_frames && !err; i++)
		err = nla_put_string(skb, TASKRT_EVENT_A_FRAME, alert_name_of(e, i));
	return err;
}

/* Return: an id of the lock, which does not reveal the lock's address. */
static u64 alert_lock_id(u64 address)
{
	static siphash_key_t key;

	if (!address)
		return 0;
	/* No lock is needed: alerts are delivered one at a time, see recorder_next_alert(). */
	if (siphash_key_is_zero(&key))
		get_random_bytes(&key, sizeof(key));
	return siphash_1u64(address, &key);
}

static void alert_put_task(const struct recorder_task *who, __u32 *tid, char *comm)
{
	if (!who->tid)
		return;
	*tid = who->tid;
	memcpy(comm, who->comm, TASK_COMM_LEN);
}

static int alert_put_values(struct sk_buff *skb, const struct recorder_event *e)
{
	struct taskrt_event event = {
		.at_ns = e->at,
		.ns = e->ns,
		.type = e->type,
		.which = e->which,
		.cpu = e->cpu,
		.flags = e->flags,
		.kind = e->lock,
		.object = alert_lock_id(e->lock_addr),
		.address = e->fault_addr,
		.syscall = e->syscall,
		.futex = e->futex,
		.futex_op = e->futex_op,
		.count = e->count,
		.longest_ns = e->longest,
		.end_ns = e->end,
		.other_ns = e->other_ns,
		.slack_ns = e->slack,
	};

	alert_put_task(&e->owner, &event.owner_tid, event.owner_comm);
	alert_put_task(&e->waker, &event.waker_tid, event.waker_comm);
	alert_put_task(&e->other, &event.other_tid, event.other_comm);
	return nla_put_64bit(skb, TASKRT_EVENT_A_EVENT, sizeof(event), &event,
			     TASKRT_EVENT_A_PAD);
}

static int alert_put_event(struct sk_buff *skb, const struct recorder_event *e)
{
	struct nlattr *nest = nla_nest_start(skb, TASKRT_ALERT_A_EVENT);
	int err;

	if (!nest)
		return -EMSGSIZE;
	err = alert_put_values(skb, e);
	if (!err && e->lock_addr)
		err = alert_put_caller(skb, e);
	if (!err && e->stack)
		err = alert_put_frames(skb, e);
	if (err)
		nla_nest_cancel(skb, nest);
	else
		nla_nest_end(skb, nest);
	return err;
}

static int alert_put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, TASKRT_ALERT_A_PAD);
}

static int alert_put_events(struct sk_buff *skb, const struct recorder_alert *alert)
{
	return alert_put_u64(skb, TASKRT_ALERT_A_LOST, alert->queued.lost) ?:
	       nla_put_u32(skb, TASKRT_ALERT_A_TGID, alert->tgid) ?:
	       nla_put_string(skb, TASKRT_ALERT_A_COMM, alert->comm) ?:
	       nla_put_u32(skb, TASKRT_ALERT_A_REASON, alert->reason) ?:
	       (alert->tag[0] ? nla_put_string(skb, TASKRT_ALERT_A_TAG, alert->tag) : 0) ?:
	       (alert->begin ? alert_put_u64(skb, TASKRT_ALERT_A_BEGIN, alert->begin) : 0) ?:
	       (alert->end ? alert_put_u64(skb, TASKRT_ALERT_A_END, alert->end) : 0) ?:
	       alert_put_u64(skb, TASKRT_ALERT_A_AT, alert->queued.at) ?:
	       alert_put_u64(skb, TASKRT_ALERT_A_RECORDED, alert->ring->recorded);
}

static int alert_begin(struct alert_writer *w)
{
	struct sk_buff *skb = nlmsg_new(MESSAGE_SIZE, GFP_KERNEL);
	int err;

	if (!skb)
		return -ENOMEM;
	w->skb = skb;
	w->header = genlmsg_put(skb, 0, 0, &family, 0, TASKRT_CMD_ALERT);
	w->nest = w->header ? nla_nest_start(skb, TASKRT_A_ALERT) : NULL;
	err = w->nest ? 0 : -EMSGSIZE;
	return err ?: alert_put_u64(skb, TASKRT_ALERT_A_SEQ, w->alert->queued.seq) ?:
		      nla_put_u32(skb, TASKRT_ALERT_A_TID, w->alert->tid);
}

#ifdef TASKRT_HAVE_BROADCAST_FILTERED

/*
 * The kernel checks the rights of a socket only when it joins the group, and only if a family owns
 * the group by then.  A socket may have joined before, so check its opener for each message.  While
 * a socket is in the group, its file is not freed.
 */
static int alert_is_withheld(struct sock *sk, struct sk_buff *skb, void *unused)
{
	const struct socket *socket = sk->sk_socket;

	return !socket || !socket->file ||
	       !file_ns_capable(socket->file, &init_user_ns, CAP_NET_ADMIN) ||
	       !file_ns_capable(socket->file, &init_user_ns, CAP_PERFMON);
}

static int alert_multicast(struct sk_buff *skb)
{
	const u32 group = family.mcgrp_offset + FAMILY_GROUP_ALERTS;

	NETLINK_CB(skb).dst_group = group;
	return netlink_broadcast_filtered(init_net.genl_sock, skb, 0, group, GFP_KERNEL,
					  alert_is_withheld, NULL);
}

#else

/* Any socket in the group has the right to alerts: see netlink_register(). */
static int alert_multicast(struct sk_buff *skb)
{
	return genlmsg_multicast_netns(&family, &init_net, skb, 0, FAMILY_GROUP_ALERTS,
				       GFP_KERNEL);
}

#endif /* TASKRT_HAVE_BROADCAST_FILTERED */

/*
 * Sends the message, and consumes it in any case.  -ENOBUFS means that a collector that asks for
 * this error (NETLINK_BROADCAST_ERROR) has lost the message: go on for the others.
 */
static int alert_send(struct alert_writer *w)
{
	struct sk_buff *skb = w->skb;
	int err;

	nla_nest_end(skb, w->nest);
	genlmsg_end(skb, w->header);
	w->skb = NULL;
	err = alert_multicast(skb);
	return err == -ENOBUFS ? 0 : err;
}

/*
 * Adds an event.  If the message has no room for it and for the flag LAST, sends the message, and
 * adds the event to a new one.
 */
static int alert_add(struct alert_writer *w, const struct recorder_event *e)
{
	const void *end = skb_tail_pointer(w->skb);
	int err;

	cond_resched();
	names.known = 0;
	err = alert_put_event(w->skb, e);
	if (!err && skb_tailroom(w->skb) >= nla_total_size(0))
		return 0;
	nlmsg_trim(w->skb, end);
	err = alert_send(w) ?: alert_begin(w);
	return err ?: alert_put_event(w->skb, e);
}

static int alert_write(struct alert_writer *w, const struct recorder *rec)
{
	const struct recorder_event *e;
	int err = alert_begin(w) ?: alert_put_events(w->skb, w->alert);
	u32 n;

	for (n = 0; !err && (e = recorder_event(rec, n)); n++)
		err = alert_add(w, e);
	return err ?: nla_put_flag(w->skb, TASKRT_ALERT_A_LAST) ?: alert_send(w);
}

static int alert_deliver(const struct recorder *rec)
{
	struct alert_writer w = { .alert = &rec->alert };
	int err;

	if (!genl_has_listeners(&family, &init_net, FAMILY_GROUP_ALERTS))
		return -ESRCH;
	err = alert_write(&w, rec);
	nlmsg_free(w.skb);
	return err;
}

static void alert_deliver_all(struct kthread_work *work)
{
	struct recorder *rec;

	while ((rec = recorder_next_alert())) {
		recorder_alert_done(rec, alert_deliver(rec));
		cond_resched();
	}
}

struct kthread_work alert_work = KTHREAD_WORK_INIT(alert_work, alert_deliver_all);
