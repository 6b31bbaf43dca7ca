// SPDX-License-Identifier: GPL-2.0-only
#include <asm/unistd.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>
#include "task/wait.h"

#define ON_FILE(call)	[__NR_##call] = TASKRT_STATE_SLEEPING_FILE

/* The state depends on the call, not on the file: read(2) of a socket is SLEEPING_FILE. */
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
#ifdef __NR_open		/* arm64 has none of these */
	ON_FILE(open), ON_FILE(creat), ON_FILE(stat), ON_FILE(lstat), ON_FILE(access), ON_FILE(getdents),
	ON_FILE(rename), ON_FILE(mkdir), ON_FILE(rmdir), ON_FILE(link), ON_FILE(symlink), ON_FILE(unlink),
	ON_FILE(readlink), ON_FILE(mknod), ON_FILE(chmod), ON_FILE(chown), ON_FILE(lchown), ON_FILE(utime),
	ON_FILE(utimes), ON_FILE(futimesat), ON_FILE(dup2),
#endif
	ON_FILE(read), ON_FILE(pread64), ON_FILE(readv), ON_FILE(preadv), ON_FILE(preadv2), ON_FILE(write),
	ON_FILE(pwrite64), ON_FILE(writev), ON_FILE(pwritev), ON_FILE(pwritev2), ON_FILE(sendfile),
	ON_FILE(copy_file_range), ON_FILE(splice), ON_FILE(tee), ON_FILE(vmsplice), ON_FILE(ioctl),
	ON_FILE(fcntl), ON_FILE(flock), ON_FILE(lseek), ON_FILE(fsync), ON_FILE(fdatasync), ON_FILE(sync),
	ON_FILE(syncfs), ON_FILE(sync_file_range), ON_FILE(msync), ON_FILE(readahead),
	ON_FILE(fadvise64), ON_FILE(fallocate), ON_FILE(truncate), ON_FILE(ftruncate),
	ON_FILE(close), ON_FILE(dup3), ON_FILE(openat), ON_FILE(openat2), ON_FILE(newfstatat), ON_FILE(fstat), ON_FILE(statx),
	ON_FILE(statfs), ON_FILE(fstatfs), ON_FILE(faccessat), ON_FILE(getdents64), ON_FILE(readlinkat),
	ON_FILE(renameat), ON_FILE(renameat2), ON_FILE(mkdirat), ON_FILE(mknodat), ON_FILE(linkat),
	ON_FILE(symlinkat), ON_FILE(unlinkat), ON_FILE(fchmod), ON_FILE(fchmodat), ON_FILE(fchown),
	ON_FILE(fchownat), ON_FILE(utimensat), ON_FILE(getxattr), ON_FILE(lgetxattr), ON_FILE(fgetxattr),
	ON_FILE(setxattr), ON_FILE(lsetxattr), ON_FILE(fsetxattr), ON_FILE(listxattr),
	ON_FILE(llistxattr), ON_FILE(flistxattr), ON_FILE(removexattr), ON_FILE(lremovexattr),
	ON_FILE(fremovexattr), ON_FILE(chdir), ON_FILE(fchdir), ON_FILE(chroot), ON_FILE(execve),
	ON_FILE(execveat), ON_FILE(name_to_handle_at), ON_FILE(open_by_handle_at),
	ON_FILE(inotify_add_watch), ON_FILE(fanotify_mark), ON_FILE(mount), ON_FILE(umount2),
	ON_FILE(pivot_root), ON_FILE(open_tree), ON_FILE(move_mount), ON_FILE(fspick), ON_FILE(swapon),
	ON_FILE(swapoff), ON_FILE(acct), ON_FILE(quotactl),
#ifdef __NR_faccessat2
	ON_FILE(faccessat2),
#endif
#ifdef __NR_close_range
	ON_FILE(close_range),
#endif
#ifdef __NR_fchmodat2
	ON_FILE(fchmodat2),
#endif
#ifdef __NR_cachestat
	ON_FILE(cachestat),
#endif
#ifdef __NR_mount_setattr
	ON_FILE(mount_setattr),
#endif
#ifdef __NR_quotactl_fd
	ON_FILE(quotactl_fd),
#endif
#ifdef __NR_setxattrat
	ON_FILE(setxattrat), ON_FILE(getxattrat), ON_FILE(listxattrat), ON_FILE(removexattrat),
#endif
#ifdef __NR_open_tree_attr
	ON_FILE(open_tree_attr),
#endif
#ifdef __NR_file_getattr
	ON_FILE(file_getattr), ON_FILE(file_setattr),
#endif
	[__NR_recvfrom]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_recvmsg]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_recvmmsg]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_sendto]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_sendmsg]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_sendmmsg]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_accept]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_accept4]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_connect]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_msgrcv]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_msgsnd]		= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_mq_timedreceive]	= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_mq_timedsend]	= TASKRT_STATE_SLEEPING_SOCKET,
	[__NR_wait4]		= TASKRT_STATE_SLEEPING_WAIT,
	[__NR_waitid]		= TASKRT_STATE_SLEEPING_WAIT,
#ifdef __NR_pause
	[__NR_pause]		= TASKRT_STATE_SLEEPING_PAUSE,
#endif
	[__NR_rt_sigsuspend]	= TASKRT_STATE_SLEEPING_PAUSE,
	[__NR_rt_sigtimedwait]	= TASKRT_STATE_SLEEPING_PAUSE,
};

/* How a task sleeps. */
#define DEAD		BIT(0)
#define RTLOCK		BIT(1)	/* PREEMPT_RT: in a sleeping spinlock */
#define HALTED		BIT(2)	/* stopped, traced, or frozen by cgroup v1 or a suspend */
#define INTERRUPTIBLE	BIT(3)	/* or idle, as kernel threads are */
#define KILLABLE	BIT(4)
#define UNINTERRUPTIBLE	BIT(5)
#define BLOCKED		(KILLABLE | UNINTERRUPTIBLE)
#define ANY		0xff

/*
 * What the task is in.  FREEZER is task->frozen, which only four functions of the kernel set:
 * do_freezer_trap(), which sleeps interruptibly; wait_for_vfork_done(), which sleeps killably; and
 * two that stop.
 */
#define FREEZER		BIT(0)
#define IOWAIT		BIT(1)
#define DYING		BIT(2)

/* The kind of the task's system call. */
#define POLLS		BIT(0)
#define SYNCS		BIT(1)	/* it writes to the disk, or waits for the journal */

/*
 * The first rule that applies gives the state; a column of 0 always applies.  If no rule applies,
 * wait_sleeps[] gives the state.  wait.h repeats the most frequent rules.
 */
static const struct wait_rule {
	u8 how;
	u8 inside;
	u8 call;
	u8 state;
} wait_rules[] = {
	{ DEAD,		 0,	  0,	 TASKRT_STATE_EXITED },
	{ RTLOCK,	 0,	  0,	 TASKRT_STATE_BLOCKED_LOCK },
	{ HALTED,	 0,	  0,	 TASKRT_STATE_STOPPED },
	{ BLOCKED,	 IOWAIT,  0,	 TASKRT_STATE_BLOCKED_IO },
	{ INTERRUPTIBLE, FREEZER, 0,	 TASKRT_STATE_STOPPED },
	{ KILLABLE,	 FREEZER, 0,	 TASKRT_STATE_SLEEPING_WAIT },
	/* The kernel marks any wait for an io_uring as I/O, so in_iowait says nothing here. */
	{ INTERRUPTIBLE, IOWAIT,  POLLS, TASKRT_STATE_SLEEPING_POLL },
	{ INTERRUPTIBLE, IOWAIT,  0,	 TASKRT_STATE_BLOCKED_IO },
	{ BLOCKED,	 0,	  SYNCS, TASKRT_STATE_BLOCKED_IO },
	{ ANY,		 DYING,	  0,	 TASKRT_STATE_BLOCKED_OTHER },
	{ BLOCKED,	 0,	  0,	 TASKRT_STATE_BLOCKED_OTHER },
};

static unsigned int wait_how(const struct task_struct *task, unsigned int task_state)
{
	if (task_state & TASK_DEAD)
		return DEAD;
	/* The lock hooks ignore softirqs, which may wait for a spinlock on PREEMPT_RT. */
	if (task_state & TASK_RTLOCK_WAIT)
		return RTLOCK;
	if (task_state & WAIT_RARE || task->flags & COMPAT_PF_FROZEN)
		return HALTED;
	/* An idle task (TASK_NOLOAD) is uninterruptible but not blocked. */
	if ((task_state & (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)) != TASK_UNINTERRUPTIBLE)
		return INTERRUPTIBLE;
	return task_state & TASK_WAKEKILL ? KILLABLE : UNINTERRUPTIBLE;
}

static unsigned int wait_inside(const struct task_struct *task)
{
	return (compat_task_frozen(task) ? FREEZER : 0) | (task->in_iowait ? IOWAIT : 0) |
	       (task->flags & WAIT_DYING ? DYING : 0);
}

/* RCU protects the file.  If another thread closes it, only this answer is wrong. */
static bool wait_opened_sync(unsigned int fd)
{
	const struct fdtable *files = rcu_dereference_raw(current->files->fdt);
	const struct file *file;

	if (fd >= files->max_fds)
		return false;
	file = rcu_dereference_raw(files->fd[array_index_nospec(fd, files->max_fds)]);
	return file && READ_ONCE(file->f_flags) & O_DSYNC;
}

/* True if the call writes to the disk.  Only the current task's open files can be read. */
static bool wait_writes_through(struct task_struct *task, unsigned int nr, struct pt_regs *regs)
{
	unsigned long args[6];

	if (task != current)
		return false;
	syscall_get_arguments(task, regs, args);
	return (nr == __NR_pwritev2 && (__force rwf_t)args[5] & (RWF_SYNC | RWF_DSYNC)) ||
	       wait_opened_sync(args[0]);
}

static unsigned int wait_call(struct task_struct *task, unsigned int nr, struct pt_regs *regs)
{
	switch (nr) {
	case __NR_fsync:
	case __NR_fdatasync:
	case __NR_sync:
	case __NR_syncfs:
	case __NR_sync_file_range:
	case __NR_msync:
		return SYNCS;
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
		return wait_writes_through(task, nr, regs) ? SYNCS : 0;
	}
	return wait_sleeps[nr] == TASKRT_STATE_SLEEPING_POLL ? POLLS : 0;
}

u8 wait_by_rules(struct task_struct *task, unsigned int task_state, struct pt_regs *regs)
{
	const bool in_syscall = regs && wait_in_syscall(task) && compat_task_native_abi(task);
	const unsigned int nr = in_syscall ? syscall_get_nr(task, regs) : WAIT_SYSCALLS;
	const unsigned int how = wait_how(task, task_state), inside = wait_inside(task);
	const unsigned int call = nr < WAIT_SYSCALLS ? wait_call(task, nr, regs) : 0;
	const struct wait_rule *rule;

	for (rule = wait_rules; rule < wait_rules + ARRAY_SIZE(wait_rules); rule++)
		if (how & rule->how && (!rule->inside || inside & rule->inside) &&
		    (!rule->call || call & rule->call))
			return rule->state;
	return nr < WAIT_SYSCALLS && wait_sleeps[nr] ? wait_sleeps[nr] : TASKRT_STATE_SLEEPING;
}

/*
 * The task may run or exit at any time.  Its stack may be freed, because the functions that pin a
 * stack are not exported: read it without faulting.  If another task uses the stack by then, only
 * the guess is wrong.
 */
static u8 wait_guess_asleep(struct task_struct *task, unsigned int task_state)
{
	struct pt_regs regs;
	const bool known = READ_ONCE(task->stack) &&
			   !copy_from_kernel_nofault(&regs, task_pt_regs(task), sizeof(regs));

	return wait_by_rules(task, task_state, known ? &regs : NULL);
}

u8 wait_guess(struct task_struct *task)
{
	unsigned int task_state = compat_task_state(task);

	/* Test this before the state: a task sets its state some time before it sleeps. */
	if (compat_task_on_cpu(task))
		return TASKRT_STATE_RUNNING;
	if (task_state == TASK_RUNNING || compat_task_queued(task))
		return TASKRT_STATE_PREEMPTED;
	if (task_state & TASK_NEW)
		return TASKRT_STATE_BLOCKED_OTHER;
	/* The task is being woken, and is not on a runqueue yet. */
	if (task_state & TASK_WAKING)
		return TASKRT_STATE_WOKEN;
	return wait_guess_asleep(task, task_state);
}
