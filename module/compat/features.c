// SPDX-License-Identifier: GPL-2.0-only
/*
 * The features that a kernel may lack.  The script "try" compiles each by itself, with TRY_ and
 * its name defined.  TASKRT_CONTROL replaces the feature by something that every kernel has.
 */

#ifdef TRY_BROADCAST_FILTERED
/* Upstream before 5.16, and since 6.6. */
#include <linux/netlink.h>

static inline int feature(struct sock *sk, struct sk_buff *skb)
{
#ifndef TASKRT_CONTROL
	return netlink_broadcast_filtered(sk, skb, 0, 1, GFP_KERNEL, NULL, NULL);
#else
	return netlink_broadcast(sk, skb, 0, 1, GFP_KERNEL);
#endif
}
#endif

#ifdef TRY_CGROUP_GET_FROM_ID
/*
 * Exported to modules since 5.14 (6b658c4863c1).  Until 6.0 the function also accepted the id of a
 * file.  The headers do not show the fix (df02452f3df0), so the version decides.  Since 6.1 all
 * kernels have it, and resolve the id in the caller's cgroup namespace (4534dee94180).
 */
#include <linux/cgroup.h>
#include <linux/version.h>

static inline struct cgroup *feature(u64 id)
{
#ifndef TASKRT_CONTROL
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error too old
#endif
	return cgroup_get_from_id(id);
#else
	return NULL;
#endif
}
#endif

#ifdef TRY_COMPACTION_CONTROL
/* Upstream since 5.18. */
#include <linux/mm.h>

struct compact_control;

#include <trace/events/compaction.h>

static inline void feature(void (*probe)(void *, struct compact_control *, unsigned long,
					 unsigned long, bool))
{
#ifndef CONFIG_COMPACTION
	/* There is nothing to hook. */
#elif !defined(TASKRT_CONTROL)
	check_trace_callback_type_mm_compaction_begin(probe);
#else
	check_trace_callback_type_mm_compaction_begin((void *)probe);
#endif
}
#endif

#ifdef TRY_CONTENTION_TRACEPOINTS
/* Upstream since 5.19. */
#include <trace/events/lock.h>

static inline void feature(void)
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_contention_begin(NULL);
	check_trace_callback_type_contention_end(NULL);
#endif
}
#endif

#ifdef TRY_DELAYS_COMPACT
/* Upstream since 5.17; without delay accounting there is no member at all. */
#include <linux/sched.h>
#include <linux/delayacct.h>	/* needs the type of its lock */

static inline u64 feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->delays->compact_delay;
#else
	return task->start_time;
#endif
}
#endif

#ifdef TRY_DELAYS_WPCOPY
/* Upstream since 6.0; without delay accounting there is no member at all. */
#include <linux/sched.h>
#include <linux/delayacct.h>	/* needs the type of its lock */

static inline u64 feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->delays->wpcopy_delay;
#else
	return task->start_time;
#endif
}
#endif

#ifdef TRY_FAIR_SERVER
/*
 * Upstream since 6.12 (5f6bd380c7bd): a server runs fair tasks that wait for real-time tasks, and
 * replaces the limit of real-time tasks.  Servers are deferred since a110a81c52a9.
 */
#include <linux/sched.h>

static inline bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->dl_server && task->dl.dl_defer;
#else
	return task->dl.dl_throttled;
#endif
}
#endif

#ifdef TRY_FTRACE_ARGS
/*
 * Upstream since 6.2, if the configuration has it: an ftrace callback gets the arguments and the
 * stack pointer of the traced function.
 */
#include <linux/ftrace.h>

struct ftrace_regs;

static inline unsigned long feature(struct ftrace_ops *ops, struct ftrace_regs *regs)
{
#ifndef TASKRT_CONTROL
#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error only with all registers
#endif
	return ftrace_regs_get_argument(regs, 2) + ftrace_regs_get_stack_pointer(regs) +
	       register_ftrace_function(ops);
#else
	return 0;
#endif
}
#endif

#ifdef TRY_GENL_MCAST_CAP
/* 6.7 and stable 6.1 introduced flags for multicast groups: 44ec98ea5ea9. */
#include <net/genetlink.h>

static const struct genl_multicast_group group = {
	.name = "group",
#ifndef TASKRT_CONTROL
	.flags = GENL_MCAST_CAP_NET_ADMIN,
#else
	.flags = GENL_UNS_ADMIN_PERM,
#endif
};

static inline const void *feature(void)
{
	return &group;
}
#endif

#ifdef TRY_HRTIMER_BASES
/* Upstream since 7.3; before, linux/hrtimer.h has the clock bases, or includes them. */
#include <linux/hrtimer.h>
#ifndef TASKRT_CONTROL
#include <linux/hrtimer_bases.h>
#endif

static inline ktime_t feature(const struct hrtimer *timer)
{
	return hrtimer_get_expires(timer);
}
#endif

#ifdef TRY_HRTIMER_EXPIRE_NOW_VALUE
/* Upstream between 6.12 and 7.2. */
#include <linux/hrtimer.h>
#include <trace/events/timer.h>

static inline void feature(void (*probe)(void *, struct hrtimer *, ktime_t))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_hrtimer_expire_entry(probe);
#else
	check_trace_callback_type_hrtimer_expire_entry((void *)probe);
#endif
}
#endif

#ifdef TRY_HRTIMER_SETUP
/* Upstream since 6.13. */
#include <linux/hrtimer.h>

static inline void feature(struct hrtimer_sleeper *sleeper)
{
#ifndef TASKRT_CONTROL
	hrtimer_setup_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_sleeper_start_expires(sleeper, HRTIMER_MODE_ABS);
#endif
}
#endif

#ifdef TRY_MEMCG_TRACEPOINT
/* Upstream since 6.15. */
#include <linux/memcontrol.h>
#ifndef TASKRT_CONTROL
#include <trace/events/memcg.h>
#endif

static inline void feature(void (*probe)(void *, struct mem_cgroup *, int, unsigned long))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_count_memcg_events(probe);
#endif
}
#endif

#ifdef TRY_MM_FLAGS_WORD
/* Upstream since 6.18; before, mm->flags was an unsigned long. */
#include <linux/mm_types.h>

static inline unsigned long feature(struct mm_struct *mm)
{
#ifndef TASKRT_CONTROL
	return __mm_flags_get_word(mm);
#else
	return mm->total_vm;
#endif
}
#endif

#ifdef TRY_NEWTASK_FLAGS_U64
/* Upstream since 6.18. */
#include <linux/sched.h>
#include <trace/events/task.h>

static inline void feature(void (*probe)(void *, struct task_struct *, u64))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_task_newtask(probe);
#else
	check_trace_callback_type_task_newtask((void *)probe);
#endif
}
#endif

#ifdef TRY_PAGE_KMEMCG
/* Until 5.11, pages charged to a memory cgroup had a page type of their own: 18b2db3b0385. */
#include <linux/mm.h>
#include <linux/page-flags.h>

static inline int feature(struct page *page)
{
#ifndef TASKRT_CONTROL
	return PageKmemcg(page);
#else
	return page_count(page);
#endif
}
#endif

#ifdef TRY_PREEMPTIBLE_PROBES
/*
 * Upstream since 7.0: probes of tracepoints run under SRCU, with preemption on.  Some earlier
 * kernels have the guard as well, but not tracepoint_srcu.
 */
#include <linux/srcu.h>
#include <linux/tracepoint.h>

static inline void feature(void)
{
#ifndef TASKRT_CONTROL
	guard(srcu_fast_notrace)(&tracepoint_srcu);
#else
	tracepoint_synchronize_unregister();
#endif
}
#endif

#ifdef TRY_RECLAIM_MEMCG
/* Upstream since 7.0. */
#include <linux/mm.h>
#include <trace/events/vmscan.h>

static inline void feature(void (*probe)(void *, gfp_t, int, struct mem_cgroup *))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin(probe);
#else
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin((void *)probe);
#endif
}
#endif

#ifdef TRY_RT_MUTEX_BASE
/* 5.15 split off struct rt_mutex_base, which PREEMPT_RT's other locks share: 830e6acc8a1c. */
#include <linux/rtmutex.h>

struct rt_mutex_base;

static inline struct task_struct *feature(struct rt_mutex_base *lock)
{
#ifndef TASKRT_CONTROL
	return lock->owner;
#else
	return (void *)lock;
#endif
}
#endif

#ifdef TRY_SCHED_DELAYED
/* Upstream since 6.12 (152e11f6df29): a task that sleeps may stay on its runqueue for a while. */
#include <linux/sched.h>

static inline bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->se.sched_delayed;
#else
	return task->se.on_rq;
#endif
}
#endif

#ifdef TRY_SCHED_EXIT_GROUP_DEAD
/* Upstream since 6.16. */
#include <linux/sched.h>
#include <trace/events/sched.h>

static inline void feature(void (*probe)(void *, struct task_struct *, bool))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_sched_process_exit(probe);
#else
	check_trace_callback_type_sched_process_exit((void *)probe);
#endif
}
#endif

#ifdef TRY_SCHED_SWITCH_PREV_STATE
/* Upstream since 5.18, and in some stable kernels before that. */
#include <linux/sched.h>
#include <trace/events/sched.h>

typedef void (*probe_fn)(void *, bool, struct task_struct *, struct task_struct *, unsigned int);

static inline void feature(probe_fn probe)
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_sched_switch(probe);
#else
	check_trace_callback_type_sched_switch((void *)probe);
#endif
}
#endif

#ifdef TRY_STACK_OF_OTHERS
/*
 * Exported to modules since 6.7 (7d672f40941a).  Until 6.10 the unwinder warned about a task that
 * is being woken, if the task was in a function with a kretprobe (5120d167e21c).  The headers show
 * neither, so the version decides.
 */
#include <linux/stacktrace.h>
#include <linux/version.h>

static inline unsigned int feature(struct task_struct *task, unsigned long *frames)
{
#ifndef TASKRT_CONTROL
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#error too old
#endif
#endif
	return stack_trace_save(frames, 1, 0);
}
#endif

#ifdef TRY_TASK_EXEC_STATE
/* Upstream since 7.2: dumpability belongs to the task, not to its mm. */
#include <linux/sched.h>
#ifndef TASKRT_CONTROL
#include <linux/sched/exec_state.h>
#endif

struct task_exec_state;

static inline bool feature(struct task_exec_state *state)
{
#ifndef TASKRT_CONTROL
	return READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
#else
	return state;
#endif
}
#endif

#ifdef TRY_TASK_STATE_UNDERSCORED
/* Upstream since 5.14; before, the member was called state. */
#include <linux/sched.h>

static inline unsigned int feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return READ_ONCE(task->__state);
#else
	return READ_ONCE(task->flags);
#endif
}
#endif

#ifdef TRY_TASK_THROTTLED
/* Upstream since 6.18 (e1fad12dcb66): the tasks of a throttled group are throttled one by one. */
#include <linux/sched.h>

static inline bool feature(const struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->throttled && !list_empty(&task->throttle_node);
#else
	return list_empty(&task->tasks);
#endif
}
#endif

#ifdef TRY_TASK_USER_DUMPABLE
/* Upstream in 7.1, and in stable series since May 2026. */
#include <linux/sched.h>

static inline bool feature(struct task_struct *task)
{
#ifndef TASKRT_CONTROL
	return task->user_dumpable;
#else
	return task->in_execve;
#endif
}
#endif

#ifdef TRY_VM_FLAGS_SET
/* 6.3 made vm_flags const, and added functions that change it: bc292ab00f6c. */
#include <linux/mm.h>

static inline void feature(struct vm_area_struct *vma)
{
#ifndef TASKRT_CONTROL
	vm_flags_set(vma, VM_DONTCOPY);
#else
	vma->vm_pgoff = VM_DONTCOPY;
#endif
}
#endif
