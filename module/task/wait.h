/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a task waits for, by the scheduler's data and the task's saved registers.  The registers
 * contain the number of the system call: to read it costs one load, and needs no hook.
 */
#ifndef TASKRT_WAIT_H
#define TASKRT_WAIT_H

#include <asm/syscall.h>
#include <asm/unistd.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include "compat/compat.h"
#include "engine/record_sched.h"

/* Larger than any system call number in the table, on all architectures. */
#define WAIT_SYSCALLS	512

/* The state by system call.  0, which is TASKRT_STATE_RUNNING, means: not in the table. */
extern const u8 wait_sleeps[WAIT_SYSCALLS];

/* A signal is killing the task, maybe with a core dump, or the task is exiting. */
#define WAIT_DYING	(PF_SIGNALED | COMPAT_PF_POSTCOREDUMP | PF_EXITING)

/*
 * An I/O or user worker never leaves the kernel, and may have the registers of its creator.  A
 * dying task is no longer in the call that its registers name.
 */
#define WAIT_NO_SYSCALL	(PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER | WAIT_DYING)

static __always_inline bool wait_in_syscall(const struct task_struct *task)
{
	return !(task->flags & WAIT_NO_SYSCALL);
}

/*
 * Return: the number of the system call that @task is in; -1 if it is in none, or in one of another
 * ABI.  Context: @task is current, or does not run.
 */
static inline int wait_syscall(struct task_struct *task)
{
	int nr;

	if (!wait_in_syscall(task) || !compat_task_native_abi(task))
		return -1;
	nr = syscall_get_nr(task, task_pt_regs(task));
	/* After an interrupt or exception in user mode, the register may hold any number. */
	return nr >= 0 && nr < WAIT_SYSCALLS ? nr : -1;
}

static __always_inline u8 wait_sleep_state(struct task_struct *task, struct pt_regs *regs)
{
	const unsigned int nr = syscall_get_nr(task, regs);

	if (nr >= WAIT_SYSCALLS || !wait_sleeps[nr] || !compat_task_native_abi(task))
		return TASKRT_STATE_SLEEPING;
	return wait_sleeps[nr];
}

/*
 * True if the current task, which is runnable, is in sched_yield(), even if it is preempted on its
 * way to user mode.  Callers do not call this for a task that was preempted in the kernel.
 */
static __always_inline bool wait_yields(struct task_struct *task)
{
	return unlikely(syscall_get_nr(task, task_pt_regs(task)) == __NR_sched_yield) &&
	       wait_in_syscall(task) && compat_task_native_abi(task);
}

/* Task states that only wait_by_rules() handles. */
#define WAIT_RARE	(__TASK_STOPPED | __TASK_TRACED | TASK_DEAD | TASK_RTLOCK_WAIT | \
			 COMPAT_TASK_FROZEN)

/*
 * The state of a task that is not runnable, by the table in wait.c.
 * @task_state: its TASK_* state
 * @regs: its saved registers; NULL: not known
 * Context: any; the task is the current one, or does not run.
 */
u8 wait_by_rules(struct task_struct *task, unsigned int task_state, struct pt_regs *regs);

/*
 * The state of a task that leaves the CPU to sleep, by the rules of wait.c that need only a few
 * bits of the task.  wait_sleep() is for a task state without WAIT_RARE and TASK_UNINTERRUPTIBLE,
 * the most frequent case; wait_block() for TASK_UNINTERRUPTIBLE.
 * Return: TASKRT_STATE_RUNNING: call wait_by_rules().
 */
static __always_inline u8 wait_sleep(struct task_struct *task)
{
	if (unlikely(task->in_iowait || compat_task_frozen(task)))
		return TASKRT_STATE_RUNNING;
	if (wait_in_syscall(task))
		return wait_sleep_state(task, task_pt_regs(task));
	return task->flags & WAIT_DYING ? TASKRT_STATE_RUNNING : TASKRT_STATE_SLEEPING;
}

static __always_inline u8 wait_block(struct task_struct *task, unsigned int task_state)
{
	if (task->in_iowait)
		return TASKRT_STATE_BLOCKED_IO;
	/* An idle kernel thread is uninterruptible, but not blocked. */
	return task_state & TASK_NOLOAD ? wait_sleep(task) : TASKRT_STATE_RUNNING;
}

/*
 * The state of a task that leaves the CPU and is not runnable, apart from lock waits and faults:
 * see record_wait_state().
 */
static __always_inline u8 wait_state(struct task_struct *task, unsigned int task_state)
{
	u8 state = TASKRT_STATE_RUNNING;

	if (likely(!(task_state & (WAIT_RARE | TASK_UNINTERRUPTIBLE))))
		state = wait_sleep(task);
	else if (!(task_state & WAIT_RARE))
		state = wait_block(task, task_state);
	return state ?: wait_by_rules(task, task_state, task_pt_regs(task));
}

/* Guesses the present state of a task that was not tracked so far. */
u8 wait_guess(struct task_struct *task);

#endif /* TASKRT_WAIT_H */
