/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The worker: a kernel thread for what hooks cannot do.  It runs one job at a time, with normal
 * priority.  An administrator can change the priority, because the thread has its own name.
 */
#ifndef TASKRT_WORKER_H
#define TASKRT_WORKER_H

#include <linux/kthread.h>

/*
 * A caller that finds the job queued does not take the worker's lock, which all CPUs share.  So
 * the lock is taken once for each run of the job, however many callers have work for it.
 */
struct worker_job {
	struct kthread_delayed_work work;
	void (*run)(void);
	bool queued;		/* queued, and not started yet */
};

#define DEFINE_WORKER_JOB(name, fn)						\
	struct worker_job name = {						\
		.work = KTHREAD_DELAYED_WORK_INIT((name).work, worker_run),	\
		.run = (fn),							\
	}

int worker_init(void);
void worker_exit(void);

/* Starts another worker; kthread_destroy_worker() ends it.  Return: the worker, or an ERR_PTR. */
struct kthread_worker *worker_start(const char *name);

/*
 * Queues @job, to run in @delay jiffies, or earlier if it is queued already.  The job sees what
 * the caller stored before.  Context: any, but not under a runqueue lock.
 */
void worker_queue(struct worker_job *job, unsigned long delay);

/* Runs @job again, without its delay.  Context: @job itself. */
void worker_hurry(struct worker_job *job);

/* Runs @job now, and waits for it and for all queued work.  May sleep. */
void worker_finish(struct worker_job *job);

/* Ends @job, which can never be queued again.  May sleep. */
void worker_cancel(struct worker_job *job);

bool worker_is_current(void);

/* The function of a job's work, for DEFINE_WORKER_JOB(). */
void worker_run(struct kthread_work *work);

#endif /* TASKRT_WORKER_H */
