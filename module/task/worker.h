/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker: a thread of the kernel, which does in process context what the hooks cannot do
 * themselves.  It runs one work item at a time, with normal priority.  As it has a name of
 * its own, an administrator can give it another one.
 */
#ifndef TASKRT_WORKER_H
#define TASKRT_WORKER_H

#include <linux/kthread.h>

int worker_init(void);
void worker_exit(void);

/*
 * worker_start() - start another worker, which kthread_destroy_worker() ends
 *
 * Return: an ERR_PTR if that fails.
 */
struct kthread_worker *worker_start(const char *name);

/*
 * worker_queue() - queue @work, to run in @delay jiffies; earlier if it is queued already
 *
 * Context: any, but not under the lock of a runqueue.
 */
void worker_queue(struct kthread_delayed_work *work, unsigned long delay);

/* worker_finish() - run @work now, and wait until that and what is queued is done.  May sleep. */
void worker_finish(struct kthread_delayed_work *work);

#endif /* TASKRT_WORKER_H */
