/* SPDX-License-Identifier: GPL-2.0-only */
/* Where what the hooks hand on is done: one thing at a time, in process context. */
#ifndef TASKRT_WORKER_H
#define TASKRT_WORKER_H

#include <linux/workqueue.h>

int worker_init(void);
void worker_exit(void);

/* worker_queue() - at the latest @delay jiffies from now; from any context */
void worker_queue(struct delayed_work *work, unsigned long delay);

/* worker_finish() - now, and wait until it is done.  May sleep. */
void worker_finish(struct delayed_work *work);

#endif /* TASKRT_WORKER_H */
