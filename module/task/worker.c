// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include "compat/compat.h"
#include "task/worker.h"

static struct kthread_worker *worker;

struct kthread_worker *worker_start(const char *name)
{
	return compat_run_worker(name);
}

void worker_run(struct kthread_work *work)
{
	struct worker_job *job = container_of(work, struct worker_job, work.work);

	/* run() sees the stores of callers that found the job queued; pairs with worker_queue(). */
	smp_store_mb(job->queued, false);
	job->run();
}

void worker_queue(struct worker_job *job, unsigned long delay)
{
	smp_mb();	/* pairs with worker_run() */
	if (READ_ONCE(job->queued))
		return;
	/* Other callers rely on the one that sets queued: do not preempt it before it queues. */
	preempt_disable();
	/* A delay would start a timer on this CPU, which must not tick if it is nohz_full=. */
	if (!xchg(&job->queued, true))
		kthread_queue_delayed_work(worker, &job->work,
					   tick_nohz_full_cpu(smp_processor_id()) ? 0 : delay);
	preempt_enable();
}

void worker_hurry(struct worker_job *job)
{
	kthread_mod_delayed_work(worker, &job->work, 0);
}

/*
 * kthread_flush_work() could wait for ever: if the job has queued itself again with a delay, the
 * flush would wait behind it in the list of delayed work.
 */
void worker_finish(struct worker_job *job)
{
	kthread_mod_delayed_work(worker, &job->work, 0);
	kthread_flush_worker(worker);
}

void worker_cancel(struct worker_job *job)
{
	kthread_cancel_delayed_work_sync(&job->work);
}

bool worker_is_current(void)
{
	return current == worker->task;
}

int worker_init(void)
{
	worker = worker_start("taskrt");
	return PTR_ERR_OR_ZERO(worker);
}

void worker_exit(void)
{
	kthread_destroy_worker(worker);
}
