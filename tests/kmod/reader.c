// SPDX-License-Identifier: GPL-2.0-only
/* A kernel thread that reads under RCU: meanwhile nothing is freed that waits for readers. */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "internal.h"

/* Less than what the kernel takes for a stall of RCU, or for a soft lockup. */
#define MOST_NS		(15 * NSEC_PER_SEC)

static int read(void *arg)
{
	struct completion *reads = arg;
	const u64 end = ktime_get_ns() + MOST_NS;
	bool late;

	rcu_read_lock();
	complete(reads);	/* which is on the stack of a thread that then goes on */
	do {
		late = ktime_get_ns() >= end;
		cpu_relax();
	} while (!late && !kthread_should_stop());
	rcu_read_unlock();
	return late ? -ETIME : 0;
}

/* Called with file->guard held. */
int test_reader_begin(struct test_file *file)
{
	DECLARE_COMPLETION_ONSTACK(reads);
	struct task_struct *task;
	unsigned int cpu;

	if (file->reader)
		return -EBUSY;
	cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (cpu >= nr_cpu_ids)
		return -EOPNOTSUPP;
	task = kthread_create(read, &reads, "taskrt_reader");
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, cpu);
	get_task_struct(task);
	file->reader = task;
	wake_up_process(task);
	wait_for_completion(&reads);
	return 0;
}

/* Called with file->guard held, or by the last user. */
int test_reader_end(struct test_file *file)
{
	int err;

	if (!file->reader)
		return -EINVAL;
	err = kthread_stop(file->reader);
	put_task_struct(file->reader);
	file->reader = NULL;
	return err;
}
