/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that differs between the kernels this is built for, each with the
 * upstream change that made the difference.  Nothing else tests a version.
 */
#ifndef TASKRT_COMPAT_H
#define TASKRT_COMPAT_H

#include <linux/version.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sched/coredump.h>
#include <linux/rcupdate.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error taskrt needs Linux 6.1 or newer
#endif

/* task_newtask: clone_flags is unsigned long in 6.12; upstream made it u64 in 6.18 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define COMPAT_CLONE_FLAGS	u64
#else
#define COMPAT_CLONE_FLAGS	unsigned long
#endif

/* sched_process_exit: upstream added group_dead in 6.16 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define COMPAT_EXIT_ARGS	void *data, struct task_struct *task, bool group_dead
#else
#define COMPAT_EXIT_ARGS	void *data, struct task_struct *task
#endif

/* Faults under the VMA's own lock are not known to 6.1; they came with this option. */
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

/* Is its system call, if it is in one, of the kernel's native table? */
static __always_inline bool compat_task_native_abi(const struct task_struct *task)
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
