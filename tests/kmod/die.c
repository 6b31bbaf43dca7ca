// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel thread that ends where only an oops ends a thread: inside a page fault, or
 * while it waits for a lock.  It is a kernel thread because no other may end itself
 * from a module on every kernel.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "internal.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 17, 0)
#define kthread_complete_and_exit	complete_and_exit
#endif

/* The tracepoint is there from 5.19 on, and open to modules from 6.7 on. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#include <trace/events/lock.h>
#define HAVE_CONTENTION		true
static void contend(void) { trace_contention_begin(&contend, 0); }
#else
#define HAVE_CONTENTION		false
static void contend(void) { }
#endif

struct death {
	struct completion over;
	struct mm_struct *mm;		/* a reference, which the thread takes with it */
	const void __user *address;
	u32 where;
	int err;
};

static void __noreturn end(struct death *death, int err)
{
	death->err = err;
	kthread_complete_and_exit(&death->over, 0);
}

void test_die_in_fault(struct vm_fault *vmf)
{
	struct death *death;

	if (!(current->flags & PF_KTHREAD))
		return;
	death = kthread_data(current);
	if (death->where & TASKRT_TEST_DIE_IN_LOCK)
		contend();
	/* The lock that the faulting thread would have released. */
	mmap_read_unlock(death->mm);
	/* The reference of kthread_use_mm(); the exit of the thread drops only the other one. */
	mmdrop(death->mm);
	end(death, 0);
}

static int die(void *arg)
{
	struct death *death = arg;
	char byte __maybe_unused;

	if (!(death->where & TASKRT_TEST_DIE_IN_FAULT)) {
		contend();
		end(death, 0);
	}
	kthread_use_mm(death->mm);
	if (!get_user(byte, (const char __user *)death->address))
		pr_warn("taskrt_test: no fault at the address to die at\n");
	kthread_unuse_mm(death->mm);
	mmput(death->mm);
	end(death, -EFAULT);
}

int test_die(struct taskrt_test_die *die_of)
{
	struct death death = {
		.where = die_of->where,
		.address = u64_to_user_ptr(die_of->address),
		.mm = current->mm,
	};
	struct task_struct *task;

	if (!die_of->where || die_of->where & ~(TASKRT_TEST_DIE_IN_FAULT | TASKRT_TEST_DIE_IN_LOCK))
		return -EINVAL;
	if (die_of->where & TASKRT_TEST_DIE_IN_LOCK && !HAVE_CONTENTION)
		return -EOPNOTSUPP;
	init_completion(&death.over);
	task = kthread_create(die, &death, "taskrt_dead");
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (death.where & TASKRT_TEST_DIE_IN_FAULT)
		mmget(death.mm);
	die_of->tid = task_pid_nr(task);
	wake_up_process(task);
	wait_for_completion(&death.over);
	return death.err;
}
