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
 * The task has a reference to the thread, which exit_freed() drops.  The list has another one,
 * which exit_done() drops.  The last drop queues the thread for folding.  If the list of the CPU is
 * full, the thread is not added to it.  When its task is freed, exit_freed() hands the exit to the
 * job, which only counts it.
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
	bool last;			/* the process ends with this exit */
	struct task_struct *leader;	/* or the task, if the leader's exit was not taken */
	/* Set by exit_sample(): */
	struct sample sample;
	struct sample process;
};

/* Module load.  @job: delivers the exits; it is queued when some are waiting. */
void exit_init(struct worker_job *job, u64 max_threads);

/* How many exits may wait for the job, on all CPUs together. */
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
 * exit_next() - take the next exit, or NULL if none waits
 * exit_done() - return the exit
 * Exits of one CPU that were not dropped come in the order in which they closed.  Context: the job.
 */
struct exit *exit_next(void);
void exit_done(struct exit *exit);

/*
 * Samples what is requested: the thread, and its process if this is the last thread.  Context: the
 * job, with an exit that was not dropped.
 */
void exit_sample(struct exit *exit, u32 entities, u32 groups);

/* Waits until all waiting exits are delivered.  Context: no record closes; may sleep. */
void exit_flush(void);

/* Drops the noted exits that exit_flush() left.  Context: no hook is attached; may sleep. */
void exit_drop_rest(void);

#endif /* TASKRT_EXIT_H */
