// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes of reclaim and compaction: how long the thread ran to free memory that it needed.
 * Waits during this are not included: they count under their own states.  A compaction inside a
 * reclaim is part of it.
 */
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <trace/events/vmscan.h>

#ifdef CONFIG_COMPACTION
struct compact_control;

#include <trace/events/compaction.h>
#endif

#include "compat/clock.h"
#include "engine/record_sched.h"
#include "hook/hook.h"
#include "hook/hook_self.h"
#include "hook/probes.h"

static void hook_freeing_begin(enum hook_id id)
{
	struct thread_freeing *freeing;
	unsigned long flags;
	struct thread *t;

	local_irq_save(flags);
	hook_hit(id);
	t = thread_of_cpu(current);
	if (likely(t)) {
		freeing = &t->freeing;
		if (!freeing->depth++) {
			freeing->since = clock_now();
			freeing->before = record_computed(&t->record, freeing->since);
		}
	} else {
		hook_miss(id);
	}
	local_irq_restore(flags);
}

static void hook_freeing_end(void)
{
	struct thread_freeing *freeing;
	unsigned long flags;
	struct thread *t;
	u64 computed;

	local_irq_save(flags);
	t = thread_of_cpu(current);
	/* The start may have been before the probes were attached. */
	if (likely(t) && t->freeing.depth && !--t->freeing.depth) {
		freeing = &t->freeing;
		computed = record_computed(&t->record, clock_now());
		hook_charge(t, RECORD_RECLAIM_CPU, freeing->since,
			    record_elapsed(freeing->before, computed));
	}
	local_irq_restore(flags);
}

static void hook_reclaim_begin(void *data, COMPAT_RECLAIM_BEGIN)
{
	hook_freeing_begin(HOOK_RECLAIM);
}

static void hook_reclaim_end(void *data, COMPAT_RECLAIM_END)
{
	hook_freeing_end();
}

struct tracepoint_pairs hook_reclaim = {
	.names = { "mm_vmscan_direct_reclaim", "mm_vmscan_memcg_reclaim" },
	.on_entry = hook_reclaim_begin,
	.on_exit = hook_reclaim_end,
};

#ifdef CONFIG_COMPACTION

static void hook_compaction_begin(void *data, COMPAT_COMPACTION_BEGIN)
{
	hook_freeing_begin(HOOK_COMPACTION);
}

static void hook_compaction_end(void *data, COMPAT_COMPACTION_BEGIN, int status)
{
	hook_freeing_end();
}

struct tracepoint_pairs hook_compaction = {
	.names = { "mm_compaction" },
	.on_entry = hook_compaction_begin,
	.on_exit = hook_compaction_end,
};

#endif /* CONFIG_COMPACTION */

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin(hook_reclaim_begin);
	check_trace_callback_type_mm_vmscan_direct_reclaim_end(hook_reclaim_end);
#ifdef CONFIG_MEMCG
	check_trace_callback_type_mm_vmscan_memcg_reclaim_begin(hook_reclaim_begin);
	check_trace_callback_type_mm_vmscan_memcg_reclaim_end(hook_reclaim_end);
#endif
#ifdef CONFIG_COMPACTION
	check_trace_callback_type_mm_compaction_begin(hook_compaction_begin);
	check_trace_callback_type_mm_compaction_end(hook_compaction_end);
#endif
}
