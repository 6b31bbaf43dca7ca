/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker: a kernel thread, which does in process context what hooks cannot do.  It runs one
 * job at a time, with normal priority; an administrator can change that, because the thread
 * has its own name.
 */
#ifndef TASKRT_WORKER_H
#define TASKRT_WORKER_H

#include <linux/kthread.h>

/*
 * A caller that finds a job queued does not take the worker's lock, which all processors share.
 * So the lock is taken once for each run of the job, however many callers have added to it.
 */
struct worker_job {
	struct kthread_delayed_work work;
	void (*run)(void);
	bool queued;		/* and it has not started yet */
};

#define DEFINE_WORKER_JOB(name, fn)						\
	struct worker_job name = {						\
		.work = KTHREAD_DELAYED_WORK_INIT((name).work, worker_run),	\
		.run = (fn),							\
	}

int worker_init(void);
void worker_exit(void);

/*
 * worker_start() - start another worker, which kthread_destroy_worker() ends
 *
 * Return: an ERR_PTR if that fails.
 */
struct kthread_worker *worker_start(const char *name);

/*
 * worker_queue() - queue @job, to run in @delay jiffies; earlier if it is queued already
 *
 * What the caller has stored before is seen when the job runs.
 *
 * Context: any, but not under the lock of a runqueue.
 */
void worker_queue(struct worker_job *job, unsigned long delay);

/* worker_hurry() - run @job again, and without its delay.  Context: @job itself. */
void worker_hurry(struct worker_job *job);

/* worker_finish() - run @job now, and wait until that and what is queued is done.  May sleep. */
void worker_finish(struct worker_job *job);

/* worker_cancel() - end @job, which can never be queued again.  May sleep. */
void worker_cancel(struct worker_job *job);

/* Is the current task the worker? */
bool worker_is_current(void);

/* The function of a job's work; for DEFINE_WORKER_JOB(). */
void worker_run(struct kthread_work *work);

#endif /* TASKRT_WORKER_H */
