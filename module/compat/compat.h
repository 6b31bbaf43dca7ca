/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The differences between the supported kernels.  Kbuild defines TASKRT_HAVE_X if X of features.c
 * compiles: distributions backport features, so the version of a kernel says little about it.  See
 * also hook_slowpath.c, for kernels without the contention tracepoints.
 */
#ifndef TASKRT_COMPAT_H
#define TASKRT_COMPAT_H

#include <linux/cgroup.h>
#include <linux/compat.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/stacktrace.h>
#ifdef TASKRT_HAVE_HRTIMER_BASES
#include <linux/hrtimer_bases.h>
#endif

/* INIT_STACK_ALL_ZERO clears variables without this mark, which 6.9 added (fd7eea27a3ae). */
#ifndef __uninitialized
#define __uninitialized
#endif

/* Since 6.14 (b04e317b5226), kthread_create_worker() does not start the worker. */
#ifdef kthread_run_worker
#define compat_run_worker(name)	kthread_run_worker(0, "%s", name)
#else
#define compat_run_worker(name)	kthread_create_worker(0, "%s", name)
#endif

#ifdef TASKRT_HAVE_NEWTASK_FLAGS_U64
#define COMPAT_CLONE_FLAGS	u64
#else
#define COMPAT_CLONE_FLAGS	unsigned long
#endif

#ifdef TASKRT_HAVE_SCHED_EXIT_GROUP_DEAD
#define COMPAT_EXIT_ARGS	void *data, struct task_struct *task, bool group_dead
#else
#define COMPAT_EXIT_ARGS	void *data, struct task_struct *task
#endif

/*
 * for_each_thread(), under RCU.  In 7.2 with PROVE_RCU_LIST, the kernel's macro needs
 * tasklist_lock, which is not exported.
 */
#define compat_for_each_thread(task, thread) \
	list_for_each_entry_rcu(thread, &(task)->signal->thread_head, thread_node)

#ifdef TASKRT_HAVE_TASK_STATE_UNDERSCORED
#define compat_task_state(task)	READ_ONCE((task)->__state)
#else
#define compat_task_state(task)	READ_ONCE((task)->state)
#endif

/* Without prev_state, a task that another CPU is waking is TASK_WAKING: its wait is unknown. */
#ifdef TASKRT_HAVE_SCHED_SWITCH_PREV_STATE
#define COMPAT_PREV_STATE	prev_state
#else
#define COMPAT_PREV_STATE	compat_task_state(prev)
#endif

/* The callback of all timers in a struct hrtimer_sleeper.  Context: may sleep. */
void *compat_sleeper_function(void);

/* The callback of a timer.  Since 6.15 sparse permits access only in this way. */
#define compat_hrtimer_function(timer)	((void *)ACCESS_PRIVATE(timer, function))

#ifdef TASKRT_HAVE_HRTIMER_EXPIRE_NOW_VALUE
#define COMPAT_HRTIMER_NOW	ktime_t
#else
#define COMPAT_HRTIMER_NOW	ktime_t *
#endif

#ifdef TASKRT_HAVE_RECLAIM_MEMCG
#define COMPAT_RECLAIM_BEGIN	gfp_t flags, int order, struct mem_cgroup *memcg
#define COMPAT_RECLAIM_END	unsigned long nr_reclaimed, struct mem_cgroup *memcg
#else
#define COMPAT_RECLAIM_BEGIN	int order, gfp_t flags
#define COMPAT_RECLAIM_END	unsigned long nr_reclaimed
#endif

#ifdef TASKRT_HAVE_COMPACTION_CONTROL
#define COMPAT_COMPACTION_BEGIN	struct compact_control *cc, unsigned long zone_start,	\
				unsigned long zone_end, bool sync
#else
#define COMPAT_COMPACTION_BEGIN	unsigned long zone_start, unsigned long migrate_pfn,	\
				unsigned long free_pfn, unsigned long zone_end, bool sync
#endif

/* 5.15 added TASK_RTLOCK_WAIT; before, a wait for an RT spinlock had no state of its own. */
#ifndef TASK_RTLOCK_WAIT
#define TASK_RTLOCK_WAIT	0
#endif

/* 6.4 added PF_USER_WORKER; before, such workers were kernel threads. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER		0
#endif

/* 5.16 added PF_POSTCOREDUMP (92307383082d); before, such a task had PF_EXITING. */
#ifdef PF_POSTCOREDUMP
#define COMPAT_PF_POSTCOREDUMP	PF_POSTCOREDUMP
#else
#define COMPAT_PF_POSTCOREDUMP	0
#endif

/* Frozen by cgroup v1's freezer or a suspend.  6.1 replaced a flag by a state (f5d39b020809). */
#ifdef TASK_FROZEN
#define COMPAT_TASK_FROZEN	TASK_FROZEN
#define COMPAT_PF_FROZEN	0
#else
#define COMPAT_TASK_FROZEN	0
#define COMPAT_PF_FROZEN	PF_FROZEN
#endif

/* True if the task is inside a function of the freezer of cgroup v2: see task/wait.c. */
static __always_inline bool compat_task_frozen(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	return task->frozen;
#else
	return false;
#endif
}

#ifdef TASKRT_HAVE_RT_MUTEX_BASE
typedef struct rt_mutex_base compat_rt_mutex;
typedef struct rwbase_rt compat_rt_rwsem;
#else
typedef struct rt_mutex compat_rt_mutex;
typedef struct rw_semaphore compat_rt_rwsem;
#endif

static inline void compat_vm_flags_change(struct vm_area_struct *vma, vm_flags_t set,
					  vm_flags_t clear)
{
#ifdef TASKRT_HAVE_VM_FLAGS_SET
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

static inline bool compat_task_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

/* True if the task waits for a CPU, whatever its state says. */
static inline bool compat_task_queued(const struct task_struct *task)
{
#ifdef TASKRT_HAVE_SCHED_DELAYED
	if (READ_ONCE(task->se.sched_delayed))
		return false;
#endif
	return READ_ONCE(task->on_rq) && !compat_task_on_cpu(task);
}

/* The tasks of a throttled group stay queued; only the entities above them show the throttling. */
#if defined(CONFIG_CFS_BANDWIDTH) && !defined(TASKRT_HAVE_TASK_THROTTLED)
#define COMPAT_THROTTLES_GROUPS
#endif

/* A deadline server runs fair tasks when real-time tasks leave them no time. */
#ifdef TASKRT_HAVE_FAIR_SERVER
#define COMPAT_SERVES_FAIR_TASKS
#endif

/*
 * For pages that user space maps.  Before 5.11, pages that are charged to a memory cgroup have a
 * page type, and pages with a type cannot be mapped.  So there, mapped pages are not charged.
 */
#ifdef TASKRT_HAVE_PAGE_KMEMCG
#define COMPAT_GFP_MAPPED	GFP_KERNEL
#else
#define COMPAT_GFP_MAPPED	GFP_KERNEL_ACCOUNT
#endif

/*
 * Charges what the current task allocates with __GFP_ACCOUNT to @memcg, as set_active_memcg() does.
 * Modules cannot use that before 5.14 (c74d40e8b5e2), because it needs a variable that is not
 * exported.  Context: a task.  Return: the argument of the call that undoes it.
 */
static inline struct mem_cgroup *compat_charge_to(struct mem_cgroup *memcg)
{
#ifdef CONFIG_MEMCG
	swap(current->active_memcg, memcg);
#endif
	return memcg;
}

/*
 * To join the group, a socket needs CAP_NET_ADMIN in the network namespace.  If alerts cannot be
 * kept from members, it also needs CAP_SYS_ADMIN, which includes CAP_PERFMON.
 */
#if defined(TASKRT_HAVE_GENL_MCAST_CAP) && defined(TASKRT_HAVE_BROADCAST_FILTERED)
#define COMPAT_MCAST_FLAGS	GENL_MCAST_CAP_NET_ADMIN
#elif defined(TASKRT_HAVE_GENL_MCAST_CAP)
#define COMPAT_MCAST_FLAGS	(GENL_MCAST_CAP_NET_ADMIN | GENL_MCAST_CAP_SYS_ADMIN)
#else
#define COMPAT_MCAST_FLAGS	GENL_UNS_ADMIN_PERM
#endif

/* True if the fault is handled under the lock of its VMA, which 6.4 introduced. */
static inline bool compat_fault_under_vma_lock(unsigned int flags)
{
#ifdef CONFIG_PER_VMA_LOCK
	return flags & FAULT_FLAG_VMA_LOCK;
#else
	return false;
#endif
}

/*
 * True if the task is dumpable by its own user.  As for ptrace, a kernel thread is not dumpable,
 * and an exited task without mm is dumpable if it was before.  On kernels that do not keep this,
 * both count as dumpable.
 * Context: takes task_lock() of the task, and of other threads of its process, if the kernel keeps
 * dumpability in the mm.
 */
bool compat_task_dumpable(struct task_struct *task);

/*
 * The user namespace of the task's mm, with a reference; without an mm, the initial namespace.
 * Context: as compat_task_dumpable().
 */
struct user_namespace *compat_task_memory_ns(struct task_struct *task);

/* compat_task_dumpable() of the current task, for probes: it takes no lock. */
bool compat_current_dumpable(void);

/*
 * Finds a cgroup of the v2 hierarchy by its id, if the current task's cgroup namespace shows it.
 * If modules cannot use the kernel's function, this walks all cgroups.  The walk takes long if
 * there are many, but lets other tasks run.
 * Context: may sleep.
 * Return: the cgroup, with a reference; or ERR_PTR: -ENOENT; -EINTR: the task is being killed.
 */
#ifdef TASKRT_HAVE_CGROUP_GET_FROM_ID
#define compat_cgroup_get_from_id(id)	cgroup_get_from_id(id)
#else
struct cgroup *compat_cgroup_get_from_id(u64 id);
#endif

/*
 * The kernel stack of a sleeping task, innermost frame first, without functions of the scheduler.
 * It ends at a function with a kretprobe, because only the task itself can look up the caller.
 * Context: any; the task has to stay asleep.
 * Return: the number of frames; 0 if modules cannot use this (see COMPAT_STACK_OF_OTHERS).
 */
#ifdef TASKRT_HAVE_STACK_OF_OTHERS
#define COMPAT_STACK_OF_OTHERS	true

static inline unsigned int compat_stack_save(struct task_struct *task, unsigned long *frames,
					     unsigned int size)
{
	return stack_trace_save_tsk(task, frames, size, 0);
}
#else
#define COMPAT_STACK_OF_OTHERS	false

static inline unsigned int compat_stack_save(struct task_struct *task, unsigned long *frames,
					     unsigned int size)
{
	return 0;
}
#endif

/* True, unless the task is in a system call of another table than the kernel's native one. */
static __always_inline bool compat_task_native_abi(struct task_struct *task)
{
#if defined(CONFIG_X86_64)
	/* x32 needs no test: its numbers have a bit set that no native number has. */
	return !(READ_ONCE(task->thread_info.status) & TS_COMPAT);
#elif defined(CONFIG_COMPAT) && defined(CONFIG_ARM64)
	return !is_compat_thread(task_thread_info(task));
#else
	return true;
#endif
}

/*
 * An irq_work that runs in hard interrupt context.  Otherwise, PREEMPT_RT would run it in a thread
 * of the CPU.  When a CPU goes offline, that thread stops while other tasks still run and queue
 * work.  Unloading the module would then wait until the CPU comes back.  5.10 has no hard kind.
 */
static inline void compat_init_irq_work(struct irq_work *work, void (*fn)(struct irq_work *))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(fn);
#else
	init_irq_work(work, fn);
#endif
}

#endif /* TASKRT_COMPAT_H */
