// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a sleeping task waits for, from its own saved registers: the number of
 * the system call it is in costs one load, and needs no hook on system calls.
 */
#include <asm/syscall.h>
#include <asm/unistd.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "record.h"
#include "wait.h"

/* By number; 0, which is STATE_RUNNING, stands for any other system call. */
static const u8 sleeps[] = {
#ifdef __NR_futex
	[__NR_futex]		= STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_futex_waitv
	[__NR_futex_waitv]	= STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_futex_wait
	[__NR_futex_wait]	= STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_poll
	[__NR_poll]		= STATE_SLEEPING_POLL,
#endif
#ifdef __NR_select
	[__NR_select]		= STATE_SLEEPING_POLL,
#endif
#ifdef __NR_epoll_wait
	[__NR_epoll_wait]	= STATE_SLEEPING_POLL,
#endif
	[__NR_ppoll]		= STATE_SLEEPING_POLL,
	[__NR_pselect6]		= STATE_SLEEPING_POLL,
	[__NR_epoll_pwait]	= STATE_SLEEPING_POLL,
	[__NR_epoll_pwait2]	= STATE_SLEEPING_POLL,
	[__NR_io_uring_enter]	= STATE_SLEEPING_POLL,
	[__NR_nanosleep]	= STATE_SLEEPING_TIMER,
	[__NR_clock_nanosleep]	= STATE_SLEEPING_TIMER,
};

static bool in_syscall(const struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | PF_IO_WORKER));
}

static u8 sleep_state(struct task_struct *task, struct pt_regs *regs)
{
	unsigned int nr = syscall_get_nr(task, regs);

	if (nr >= ARRAY_SIZE(sleeps) || !sleeps[nr] || !compat_task_native_abi(task))
		return STATE_SLEEPING;
	return sleeps[nr];
}

/* All but what the system call tells: STATE_SLEEPING. */
static u8 scheduler_state(const struct task_struct *task, unsigned int task_state)
{
	if (task_state & TASK_RTLOCK_WAIT)
		return STATE_BLOCKED_LOCK;
	if (task->in_iowait)
		return STATE_BLOCKED_IO;
	/* An idle kernel thread is uninterruptible only so as not to be disturbed. */
	if ((task_state & TASK_UNINTERRUPTIBLE) && !(task_state & TASK_NOLOAD))
		return STATE_BLOCKED_OTHER;
	if (task_state & (__TASK_STOPPED | __TASK_TRACED))
		return STATE_STOPPED;
	return STATE_SLEEPING;
}

u8 wait_state(struct task_struct *task, unsigned int task_state)
{
	u8 state = scheduler_state(task, task_state);

	if (state == STATE_SLEEPING && in_syscall(task))
		return sleep_state(task, task_pt_regs(task));
	return state;
}

/*
 * Of a task that may run or die meanwhile: its stack may go away under us, and
 * the functions that hold on to a stack are not exported.  Numbers read from a
 * stack that is somebody else's by now make a wrong guess, nothing worse.
 */
static u8 sleep_guess(struct task_struct *task)
{
	struct pt_regs regs;

	if (!in_syscall(task) || !READ_ONCE(task->stack) ||
	    copy_from_kernel_nofault(&regs, task_pt_regs(task), sizeof(regs)))
		return STATE_SLEEPING;
	return sleep_state(task, &regs);
}

u8 wait_guess(struct task_struct *task)
{
	unsigned int task_state = READ_ONCE(task->__state);

	if (READ_ONCE(task->exit_state))
		return STATE_EXITED;
	if (task_state == TASK_RUNNING)
		return READ_ONCE(task->on_cpu) ? STATE_RUNNING : STATE_PREEMPTED;
	if (task_state & TASK_NEW)
		return STATE_BLOCKED_OTHER;
	/* Being woken, on its way to a run queue. */
	if (task_state & TASK_WAKING)
		return STATE_WOKEN;
	task_state = scheduler_state(task, task_state);
	return task_state == STATE_SLEEPING ? sleep_guess(task) : task_state;
}
