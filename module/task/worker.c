// SPDX-License-Identifier: GPL-2.0-only
#include "compat/compat.h"
#include "task/worker.h"

static struct kthread_worker *worker;

struct kthread_worker *worker_start(const char *name)
{
	return compat_run_worker(name);
}

void worker_queue(struct kthread_delayed_work *work, unsigned long delay)
{
	/* It takes no lock then, as it is mostly called in a burst. */
	if (!timer_pending(&work->timer))
		kthread_queue_delayed_work(worker, work, delay);
}

void worker_finish(struct kthread_delayed_work *work)
{
	kthread_mod_delayed_work(worker, work, 0);
	kthread_flush_work(&work->work);
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
