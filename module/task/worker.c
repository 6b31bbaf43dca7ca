// SPDX-License-Identifier: GPL-2.0-only
#include <linux/smp.h>
#include <linux/tick.h>
#include "compat/compat.h"
#include "task/worker.h"

static struct kthread_worker *worker;

struct kthread_worker *worker_start(const char *name)
{
	return compat_run_worker(name);
}

/* The timer of a delay would be this CPU's.  One with nohz_full= shall not tick for it. */
void worker_queue(struct kthread_delayed_work *work, unsigned long delay)
{
	if (tick_nohz_full_cpu(raw_smp_processor_id()))
		delay = 0;
	kthread_queue_delayed_work(worker, work, delay);
}

/*
 * kthread_flush_work() would wait for ever if the work, which may queue itself with a delay,
 * has run already: it waits behind the work in whatever list that is in.
 */
void worker_finish(struct kthread_delayed_work *work)
{
	kthread_mod_delayed_work(worker, work, 0);
	kthread_flush_worker(worker);
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
