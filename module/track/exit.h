/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of an exit, from the task to the job that delivers it:
 *
 *	sched_process_exit	notes the identity of the task, if there is a listener
 *	last switch-out		closes the record, and adds the thread to a list of its CPU
 *	the job			takes one exit after the other: exit_next(), exit_done()
 *
 * The record closes after the address space was torn down, and includes the time that this takes.
 *
 * The task has a reference to the thread, which exit_freed() drops, and so has the list, which
 * exit_done() drops.  Dropping the last one queues the thread for folding.  If the list of the CPU
 * is full, the thread is not added: when its task is freed, the job takes the exit, and only
 * counts it.
 */
#ifndef TASKRT_EXIT_H
#define TASKRT_EXIT_H

#include "task/process.h"

struct worker_job;

/* One exit, valid from exit_next() to exit_done(). */
struct exit {
	struct thread *thread;
	struct task_struct *task;
	bool dropped;			/* it is only counted, and has no samples */
	/* For the last thread of a process: */
	bool last;
	struct task_struct *leader;	/* or the task, if the leader was not tracked */
	/* Set by exit_sample(): */
	struct sample sample;
	struct sample process;
};

/* Module load.  @job: delivers the exits; it is queued when some are waiting. */
void exit_init(struct worker_job *job, u64 max_threads);

/* The most exits that wait for the job, on all CPUs together. */
u64 exit_most(void);

/* Sets whether there is a listener, for tasks that start to exit from now on. */
void exit_want(bool wanted);

/*
 * Notes the ids of the current task, which starts to exit.  Context: a hook.
 * Return: false if there is a listener, but the task is not tracked.
 */
bool exit_note(struct task_struct *task);

/* The task has left the CPU for good, and its record is closed.  Context: runqueue lock. */
void __cold exit_closed(struct thread *t);

/* The task is about to be freed, and its thread has left the table.  Context: a hook. */
void exit_freed(struct thread *t);

/*
 * exit_next() - take the next exit, or NULL; the exits of one CPU in the order in which they closed
 * exit_done() - return it
 * Context: the job.
 */
struct exit *exit_next(void);
void exit_done(struct exit *exit);

/*
 * Samples what is requested: the thread, and its process if this is the last thread.  Context: the
 * job, with an exit that was not dropped.
 */
void exit_sample(struct exit *exit, u32 entities, u32 groups);

/* Waits until all waiting exits are delivered.  No record closes during this.  May sleep. */
void exit_flush(void);

/* After exit_flush(): drops all noted exits that are left.  No hook is attached.  May sleep. */
void exit_drop_rest(void);

#endif /* TASKRT_EXIT_H */
