/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker: an ordered workqueue, which does in process context what the hooks cannot
 * do themselves.  It runs one work item at a time.
 */
#ifndef TASKRT_WORKER_H
#define TASKRT_WORKER_H

#include <linux/workqueue.h>

int worker_init(void);
void worker_exit(void);

/*
 * worker_queue() - queue @work, to run in @delay jiffies; earlier if it is queued already
 *
 * Context: any.
 */
void worker_queue(struct delayed_work *work, unsigned long delay);

/* worker_finish() - run @work now, and wait until it is done.  May sleep. */
void worker_finish(struct delayed_work *work);

#endif /* TASKRT_WORKER_H */
