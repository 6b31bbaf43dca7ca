// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/taskrt_names.h>
#include <linux/taskrt_numbers.h>
#include <linux/time_namespace.h>
#include <net/genetlink.h>
#include "accounting.h"
#include "netlink/command.h"
#include "netlink/filter.h"
#include "netlink/listeners.h"
#include "netlink/stats.h"
#include "observe/armed.h"
#include "observe/mapping.h"
#include "policy/access.h"
#include "policy/coarse.h"
#include "task/counters.h"
#include "task/delays.h"
#include "task/process.h"
#include "task/throttle.h"
#include "track/track.h"

static u64 max_threads;

static int info_put_u64(struct sk_buff *reply, int type, u64 value)
{
	return nla_put_u64_64bit(reply, type, value, TASKRT_INFO_A_PAD);
}

static u64 info_hidden(const struct sk_buff *skb, u64 measured)
{
	struct access_requester who;

	return access_requester_init(&who, skb) ? VALUES_OF_CYCLES : access_hidden(&who, measured);
}

static int info_put_measured(struct sk_buff *reply, const struct sk_buff *skb, bool on)
{
	struct taskrt_measured measured = { 0 };

	if (on)
		measured = *accounting_measured();
	measured.values &= ~info_hidden(skb, measured.values);
	/* The kernel counts delays of some tasks only: report whether it does for the requester. */
	if (on && delays_counted(current))
		measured.timers |= DELAYS_MEASURED;
	return nla_put_64bit(reply, TASKRT_INFO_A_MEASURED, sizeof(measured), &measured,
			     TASKRT_INFO_A_PAD);
}

static int info_put_module(struct sk_buff *reply, const struct sk_buff *skb, bool on)
{
	return nla_put_string(reply, TASKRT_INFO_A_MODULE_VERSION, TASKRT_VERSION) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_STATS_VERSION, TASKRT_STATS_VERSION) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_ENABLED, on) ?:
	       info_put_u64(reply, TASKRT_INFO_A_VALID, on ? accounting_valid() : 0) ?:
	       info_put_measured(reply, skb, on) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_GROUPS, STATS_GROUPS_OF_ONE) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_FILTERS, FILTERS_SERVED) ?:
	       info_put_u64(reply, TASKRT_INFO_A_COARSE_NS, coarse_parameter()) ?:
	       info_put_u64(reply, TASKRT_INFO_A_ENABLED_SINCE, on ? accounting_since() : 0);
}

static int info_put_records(struct sk_buff *reply, u64 others)
{
	const u64 processes = process_count();
	struct thread_counts threads;
	struct track_counts track;

	thread_counts(&threads);
	track_counts(&track);
	return info_put_u64(reply, TASKRT_INFO_A_THREADS_MAX, max_threads) ?:
	       info_put_u64(reply, TASKRT_INFO_A_THREADS_MADE, threads.made) ?:
	       info_put_u64(reply, TASKRT_INFO_A_THREADS_GONE, threads.folded) ?:
	       info_put_u64(reply, TASKRT_INFO_A_THREADS, threads.kept) ?:
	       info_put_u64(reply, TASKRT_INFO_A_PROCESSES, processes) ?:
	       info_put_u64(reply, TASKRT_INFO_A_REFUSED, track.refused) ?:
	       info_put_u64(reply, TASKRT_INFO_A_NO_MEMORY, track.no_memory) ?:
	       info_put_u64(reply, TASKRT_INFO_A_REPAIRED, track.repaired) ?:
	       info_put_u64(reply, TASKRT_INFO_A_MEMORY,
			    thread_memory(threads.kept) + process_memory(processes) +
			    throttle_memory() + others) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_RECORD_SIZE, sizeof(struct thread)) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_PROCESS_SIZE, sizeof(struct process));
}

static int info_put_hook(struct sk_buff *reply, const struct hook_report *hook)
{
	struct nlattr *nest = nla_nest_start(reply, TASKRT_INFO_A_HOOK);
	int err;

	if (!nest)
		return -EMSGSIZE;
	err = nla_put_string(reply, TASKRT_HOOK_A_NAME, hook->name) ?:
	      nla_put_string(reply, TASKRT_HOOK_A_KIND, hook->kind) ?:
	      nla_put_s32(reply, TASKRT_HOOK_A_STATUS, hook->status) ?:
	      nla_put_u64_64bit(reply, TASKRT_HOOK_A_HITS, hook->hits, TASKRT_HOOK_A_PAD) ?:
	      nla_put_u64_64bit(reply, TASKRT_HOOK_A_MISSES, hook->misses, TASKRT_HOOK_A_PAD);
	nla_nest_end(reply, nest);
	return err;
}

static int info_put_hooks(struct sk_buff *reply)
{
	struct hook_report hook;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && accounting_hook(i, &hook); i++)
		err = info_put_hook(reply, &hook);
	return err;
}

static int info_put_name(struct sk_buff *reply, int type, u32 number, const char *name)
{
	struct nlattr *nest = nla_nest_start(reply, type);
	int err;

	if (!nest)
		return -EMSGSIZE;
	err = nla_put_u32(reply, TASKRT_NAME_A_NUMBER, number) ?:
	      nla_put_string(reply, TASKRT_NAME_A_NAME, name);
	if (!err && type == TASKRT_INFO_A_STATE)
		err = nla_put_u32(reply, TASKRT_NAME_A_PARENT, taskrt_state_parent(number));
	nla_nest_end(reply, nest);
	return err;
}

/* The names of all elements in the mask @measured. */
static int info_put_names(struct sk_buff *reply, int type, const char * const *names, u64 measured)
{
	int err = 0;
	u32 i;

	for (i = 0; measured >> i && !err; i++)
		if (measured & BIT_ULL(i))
			err = info_put_name(reply, type, i, names[i]);
	return err;
}

static_assert(ARRAY_SIZE(taskrt_state_names) >= NR_STATES);
static_assert(ARRAY_SIZE(taskrt_timer_names) >= NR_TIMERS);
static_assert(ARRAY_SIZE(taskrt_lock_names) >= NR_LOCKS);
static_assert(ARRAY_SIZE(taskrt_value_names) >= NR_VALUES);

/* On PREEMPT_RT softirqs run in threads, and are not timed. */
#ifdef CONFIG_PREEMPT_RT
#define NAMED_TIMERS	((MEASURED_TIMERS | DELAYS_MEASURED) & ~BIT(TASKRT_TIMER_SOFTIRQ))
#else
#define NAMED_TIMERS	(MEASURED_TIMERS | DELAYS_MEASURED)
#endif

static int info_put_all_names(struct sk_buff *reply)
{
	return info_put_names(reply, TASKRT_INFO_A_STATE, taskrt_state_names, MEASURED_STATES) ?:
	       info_put_names(reply, TASKRT_INFO_A_TIMER, taskrt_timer_names, NAMED_TIMERS) ?:
	       info_put_names(reply, TASKRT_INFO_A_LOCK, taskrt_lock_names, MEASURED_LOCKS) ?:
	       info_put_names(reply, TASKRT_INFO_A_VALUE, taskrt_value_names, MEASURED_VALUES);
}

static int info_put_listeners(struct sk_buff *reply)
{
	struct listeners_counts counts;

	listeners_counts(&counts);
	return nla_put_u32(reply, TASKRT_INFO_A_LISTENERS, counts.listeners) ?:
	       info_put_u64(reply, TASKRT_INFO_A_EXITS_DELIVERED, counts.batches.delivered) ?:
	       info_put_u64(reply, TASKRT_INFO_A_EXITS_LOST, counts.batches.dropped) ?:
	       info_put_u64(reply, TASKRT_INFO_A_BACKLOG, counts.batches.backlog_bytes) ?:
	       info_put_u64(reply, TASKRT_INFO_A_BACKLOG_MAX, batch_backlog_max());
}

static int info_put_observers(struct sk_buff *reply, const struct armed_counts *armed)
{
	u64 alerts, lost;

	alert_queue_counts(&alerts, &lost);
	return nla_put_u32(reply, TASKRT_INFO_A_MAPPED, mapping_count()) ?:
	       nla_put_u32(reply, TASKRT_INFO_A_ARMED, armed->armed) ?:
	       info_put_u64(reply, TASKRT_INFO_A_ALERTS, alerts) ?:
	       info_put_u64(reply, TASKRT_INFO_A_ALERTS_LOST, lost);
}

/* The offset that turns the time stamps of all answers into the requester's CLOCK_MONOTONIC. */
static int info_put_monotonic_offset(struct sk_buff *reply)
{
	struct timespec64 offset = {};

	if (!IS_ENABLED(CONFIG_TIME_NS))
		return 0;
	timens_add_monotonic(&offset);
	return info_put_u64(reply, TASKRT_INFO_A_MONOTONIC_OFFSET, timespec64_to_ns(&offset));
}

/* Reports which of the requester's namespaces are initial: only there can it get alerts. */
static int info_put_requester(struct sk_buff *reply, struct genl_info *requester)
{
	u32 initial = 0;

	if (net_eq(genl_info_net(requester), &init_net))
		initial |= TASKRT_INITIAL_NET;
	if (task_active_pid_ns(current) == &init_pid_ns)
		initial |= TASKRT_INITIAL_PID;
	return nla_put_u32(reply, TASKRT_INFO_A_INITIAL, initial) ?:
	       info_put_monotonic_offset(reply);
}

int info_put(struct sk_buff *reply, const struct sk_buff *skb, struct genl_info *requester)
{
	const bool on = accounting_get();
	struct armed_counts armed;
	struct nlattr *nest;
	int err;

	armed_counts(&armed);
	nest = nla_nest_start(reply, TASKRT_A_INFO);
	err = nest ? 0 : -EMSGSIZE;
	if (!err)
		err = info_put_module(reply, skb, on) ?:
		      info_put_records(reply, mapping_memory() + armed.memory) ?:
		      info_put_listeners(reply) ?: info_put_observers(reply, &armed) ?:
		      info_put_requester(reply, requester) ?: info_put_all_names(reply) ?:
		      info_put_hooks(reply);
	if (on)
		accounting_put();
	if (nest)
		nla_nest_end(reply, nest);
	return err;
}

void info_init(u64 max)
{
	max_threads = max;
}
