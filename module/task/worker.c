// SPDX-License-Identifier: GPL-2.0-only
#include "task/worker.h"

static struct workqueue_struct *worker;

void worker_queue(struct delayed_work *work, unsigned long delay)
{
	queue_delayed_work(worker, work, delay);
}

void worker_finish(struct delayed_work *work)
{
	mod_delayed_work(worker, work, 0);
	flush_delayed_work(work);
}

int worker_init(void)
{
	worker = alloc_ordered_workqueue("taskrt", 0);
	return worker ? 0 : -ENOMEM;
}

void worker_exit(void)
{
	destroy_workqueue(worker);
}
