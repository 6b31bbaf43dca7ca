// SPDX-License-Identifier: GPL-2.0-only
#include <asm/unistd.h>
#include <linux/uaccess.h>
#include "wait.h"

const u8 wait_sleeps[WAIT_SYSCALLS] = {
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
#ifdef __NR_epoll_pwait2
	[__NR_epoll_pwait2]	= STATE_SLEEPING_POLL,
#endif
	[__NR_ppoll]		= STATE_SLEEPING_POLL,
	[__NR_pselect6]		= STATE_SLEEPING_POLL,
	[__NR_epoll_pwait]	= STATE_SLEEPING_POLL,
	[__NR_io_uring_enter]	= STATE_SLEEPING_POLL,
	[__NR_nanosleep]	= STATE_SLEEPING_TIMER,
	[__NR_clock_nanosleep]	= STATE_SLEEPING_TIMER,
};

u8 wait_rare_state(unsigned int task_state)
{
	if (task_state & TASK_DEAD)
		return STATE_EXITED;
	/* PREEMPT_RT: a sleeping spinlock, which interrupt context waits for unseen. */
	return task_state & TASK_RTLOCK_WAIT ? STATE_BLOCKED_LOCK : STATE_STOPPED;
}

/*
 * Of a task that may run or die meanwhile: its stack may go away under us, and
 * the functions that hold on to a stack are not exported.  Numbers read from a
 * stack that is somebody else's by now make a wrong guess, nothing worse.
 */
static u8 sleep_guess(struct task_struct *task)
{
	struct pt_regs regs;

	if (!wait_in_syscall(task) || !READ_ONCE(task->stack) ||
	    copy_from_kernel_nofault(&regs, task_pt_regs(task), sizeof(regs)))
		return STATE_SLEEPING;
	return wait_sleep_state(task, &regs);
}

u8 wait_guess(struct task_struct *task)
{
	unsigned int task_state = compat_task_state(task);

	if (READ_ONCE(task->exit_state))
		return STATE_EXITED;
	if (task_state == TASK_RUNNING)
		return compat_task_on_cpu(task) ? STATE_RUNNING : STATE_PREEMPTED;
	if (task_state & TASK_NEW)
		return STATE_BLOCKED_OTHER;
	/* Being woken, on its way to a run queue. */
	if (task_state & TASK_WAKING)
		return STATE_WOKEN;
	task_state = wait_scheduler_state(task, task_state);
	return task_state == STATE_SLEEPING ? sleep_guess(task) : task_state;
}
