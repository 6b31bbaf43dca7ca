/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that differs between the kernels this is built for.  TASKRT_HAVE_* comes from
 * Kbuild, which has tried to compile the file of that name in feature/: a
 * version says little about a kernel to which a distribution has ported back.
 * What a kernel lacks altogether is in hook_slowpath.c.
 */
#ifndef TASKRT_COMPAT_H
#define TASKRT_COMPAT_H

#include <linux/cgroup.h>
#include <linux/compat.h>
#include <linux/mm.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>

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

#ifdef TASKRT_HAVE_TASK_STATE_UNDERSCORED
#define compat_task_state(task)	READ_ONCE((task)->__state)
#else
#define compat_task_state(task)	READ_ONCE((task)->state)
#endif

/*
 * Without it a task whose wake-up has begun on another CPU is TASK_WAKING by
 * the time it is switched out, and what it had waited for is not known.
 */
#ifdef TASKRT_HAVE_SCHED_SWITCH_PREV_STATE
#define COMPAT_SWITCH_ARGS	void *data, bool preempt, struct task_struct *prev, \
				struct task_struct *next, unsigned int prev_state
#define COMPAT_PREV_STATE	prev_state
#else
#define COMPAT_SWITCH_ARGS	void *data, bool preempt, struct task_struct *prev, \
				struct task_struct *next
#define COMPAT_PREV_STATE	compat_task_state(prev)
#endif

/* Of PREEMPT_RT as it was merged in 5.15; before, such a wait has no state of its own. */
#ifndef TASK_RTLOCK_WAIT
#define TASK_RTLOCK_WAIT	0
#endif

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

/* Does it run? */
static inline bool compat_task_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

/*
 * Pages that an application is to map.  Where the kernel marks those it charges to a
 * memory cgroup by a type of page, they cannot be mapped, and so are not charged.
 */
#ifdef TASKRT_HAVE_PAGE_KMEMCG
#define COMPAT_GFP_MAPPED	GFP_KERNEL
#else
#define COMPAT_GFP_MAPPED	GFP_KERNEL_ACCOUNT
#endif

/* To join the group needs CAP_NET_ADMIN in the network namespace. */
#ifdef TASKRT_HAVE_GENL_MCAST_CAP
#define COMPAT_MCAST_NET_ADMIN	GENL_MCAST_CAP_NET_ADMIN
#else
#define COMPAT_MCAST_NET_ADMIN	GENL_UNS_ADMIN_PERM
#endif

/* Faults under the VMA's own lock came, with this option, in 6.4. */
static inline bool compat_fault_under_vma_lock(unsigned int flags)
{
#ifdef CONFIG_PER_VMA_LOCK
	return flags & FAULT_FLAG_VMA_LOCK;
#else
	return false;
#endif
}

/*
 * Is the task dumpable by its own user?  A task without an mm (a kernel
 * thread, or one that has exited) is no obstacle, as for ptrace.
 */
bool compat_task_dumpable(struct task_struct *task);

/* As that, of the current task, and takes no lock: for a probe. */
bool compat_current_dumpable(void);

/*
 * compat_cgroup_get_from_id() - one of the v2 hierarchy that the current task's namespace shows
 * With a reference.  May sleep.  Where the kernel does not do it for modules, it takes a walk
 * through all of them, in which others get the CPU.
 * ERR_PTR: -ENOENT; -EINTR: the current task is being killed.
 */
#ifdef TASKRT_HAVE_CGROUP_GET_FROM_ID
#define compat_cgroup_get_from_id(id)	cgroup_get_from_id(id)
#else
struct cgroup *compat_cgroup_get_from_id(u64 id);
#endif

/* Is its system call, if it is in one, of the kernel's native table? */
static __always_inline bool compat_task_native_abi(struct task_struct *task)
{
#if defined(CONFIG_X86_64)
	/* x32 needs no test: its numbers carry a bit that is in no table. */
	return !(READ_ONCE(task->thread_info.status) & TS_COMPAT);
#elif defined(CONFIG_COMPAT) && defined(CONFIG_ARM64)
	return !is_compat_thread(task_thread_info(task));
#else
	return true;
#endif
}

#endif /* TASKRT_COMPAT_H */
