// SPDX-License-Identifier: GPL-2.0-only
#include <asm/unistd.h>
#include <linux/uaccess.h>
#include "task/wait.h"

const u8 wait_sleeps[WAIT_SYSCALLS] = {
#ifdef __NR_futex
	[__NR_futex]		= TASKRT_STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_futex_waitv
	[__NR_futex_waitv]	= TASKRT_STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_futex_wait
	[__NR_futex_wait]	= TASKRT_STATE_SLEEPING_FUTEX,
#endif
#ifdef __NR_poll
	[__NR_poll]		= TASKRT_STATE_SLEEPING_POLL,
#endif
#ifdef __NR_select
	[__NR_select]		= TASKRT_STATE_SLEEPING_POLL,
#endif
#ifdef __NR_epoll_wait
	[__NR_epoll_wait]	= TASKRT_STATE_SLEEPING_POLL,
#endif
#ifdef __NR_epoll_pwait2
	[__NR_epoll_pwait2]	= TASKRT_STATE_SLEEPING_POLL,
#endif
	[__NR_ppoll]		= TASKRT_STATE_SLEEPING_POLL,
	[__NR_pselect6]		= TASKRT_STATE_SLEEPING_POLL,
	[__NR_epoll_pwait]	= TASKRT_STATE_SLEEPING_POLL,
	[__NR_io_uring_enter]	= TASKRT_STATE_SLEEPING_POLL,
	[__NR_io_getevents]	= TASKRT_STATE_SLEEPING_POLL,
	[__NR_io_pgetevents]	= TASKRT_STATE_SLEEPING_POLL,
	[__NR_nanosleep]	= TASKRT_STATE_SLEEPING_TIMER,
	[__NR_clock_nanosleep]	= TASKRT_STATE_SLEEPING_TIMER,
#ifdef __NR_open
	[__NR_open]		= TASKRT_STATE_SLEEPING_READ,
#endif
#ifdef __NR_creat
	[__NR_creat]		= TASKRT_STATE_SLEEPING_READ,
#endif
	[__NR_openat]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_openat2]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_read]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_pread64]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_readv]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_preadv]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_preadv2]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_write]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_pwrite64]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_writev]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_pwritev]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_pwritev2]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_sendfile]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_copy_file_range]	= TASKRT_STATE_SLEEPING_READ,
	[__NR_splice]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_tee]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_vmsplice]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_ioctl]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_fcntl]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_flock]		= TASKRT_STATE_SLEEPING_READ,
	[__NR_recvfrom]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_recvmsg]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_recvmmsg]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_sendto]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_sendmsg]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_sendmmsg]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_accept]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_accept4]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_connect]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_msgrcv]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_msgsnd]		= TASKRT_STATE_SLEEPING_RECV,
	[__NR_mq_timedreceive]	= TASKRT_STATE_SLEEPING_RECV,
	[__NR_mq_timedsend]	= TASKRT_STATE_SLEEPING_RECV,
	[__NR_wait4]		= TASKRT_STATE_SLEEPING_WAIT,
	[__NR_waitid]		= TASKRT_STATE_SLEEPING_WAIT,
#ifdef __NR_pause
	[__NR_pause]		= TASKRT_STATE_SLEEPING_PAUSE,
#endif
	[__NR_rt_sigsuspend]	= TASKRT_STATE_SLEEPING_PAUSE,
	[__NR_rt_sigtimedwait]	= TASKRT_STATE_SLEEPING_PAUSE,
};

u8 wait_rare_state(unsigned int task_state)
{
	if (task_state & TASK_DEAD)
		return TASKRT_STATE_EXITED;
	/* PREEMPT_RT: a sleeping spinlock.  The hooks ignore waits of interrupt context. */
	return task_state & TASK_RTLOCK_WAIT ? TASKRT_STATE_BLOCKED_LOCK : TASKRT_STATE_STOPPED;
}

/*
 * The task may run or exit meanwhile, and its stack may be freed, because the functions
 * that pin a stack are not exported.  If the stack belongs to another task by now,
 * only the guess is wrong.
 */
static u8 wait_sleep_guess(struct task_struct *task)
{
	struct pt_regs regs;

	if (!wait_in_syscall(task) || !READ_ONCE(task->stack) ||
	    copy_from_kernel_nofault(&regs, task_pt_regs(task), sizeof(regs)))
		return TASKRT_STATE_SLEEPING;
	return wait_sleep_state(task, &regs);
}

u8 wait_guess(struct task_struct *task)
{
	unsigned int task_state = compat_task_state(task);

	/* A task sets its state some time before it sleeps, and may be preempted in between. */
	if (compat_task_on_cpu(task))
		return TASKRT_STATE_RUNNING;
	if (task_state == TASK_RUNNING || compat_task_queued(task))
		return TASKRT_STATE_PREEMPTED;
	if (task_state & TASK_NEW)
		return TASKRT_STATE_BLOCKED_OTHER;
	/* The task is being woken, and is not on a runqueue yet. */
	if (task_state & TASK_WAKING)
		return TASKRT_STATE_WOKEN;
	task_state = wait_scheduler_state(task, task_state);
	return task_state == TASKRT_STATE_SLEEPING ? wait_sleep_guess(task) : task_state;
}
