/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of an exit, from the task to the job that reports it:
 *
 *	sched_process_exit	notes the identity of the task, if there is a listener
 *	last switch-out		closes the record, and adds the thread to a list of its CPU
 *	the job			takes one exit after the other: exit_next(), exit_done()
 *
 * The record is closed after the address space was torn down, and includes the time
 * that this takes.
 *
 * A thread has two references until it is folded: the task, until the kernel frees it, and
 * the list.  The one that is dropped last puts the thread on the list of those to fold.  If the
 * list of the CPU is full, the thread is not added.  Then its exit is dropped when the task is
 * freed: the job takes it likewise, and only counts it.
 */
#ifndef TASKRT_EXIT_H
#define TASKRT_EXIT_H

#include "task/process.h"

struct worker_job;

/* One exit.  All of it is valid from exit_next() to exit_done(). */
struct exit {
	struct thread *thread;
	struct task_struct *task;
	bool dropped;			/* it is only counted, and has no samples */
	/* For the last thread of a process: */
	bool last;
	struct task_struct *leader;	/* or the task, if the leader was not tracked */
	/* Of exit_sample(): */
	struct sample sample;
	struct sample process;
};

/*
 * Module load and unload.  No exit is reported before and after.  May sleep.
 * @job: reports exits; it is queued when there are some
 */
void exit_init(struct worker_job *job, u64 max_threads);

/* The most exits of all CPUs that wait for the job. */
u64 exit_most(void);

/* Says whether there is a listener.  It applies to tasks that start to exit from now on. */
void exit_want(bool wanted);

/*
 * exit_note() - the current task starts to exit: note its identity
 *
 * Context: a hook.
 * Return: false if there is a listener, but the task is not tracked.
 */
bool exit_note(struct task_struct *task);

/*
 * exit_closed() - the task has left the CPU for good, and its record is closed
 *
 * Context: a hook, under the runqueue lock.
 */
void __cold exit_closed(struct thread *t);

/*
 * exit_freed() - the task is about to be freed, and its thread has left the table
 *
 * Context: a hook.
 */
void exit_freed(struct thread *t);

/*
 * exit_next() - take the next exit: those of one CPU in the order in which they closed
 * exit_done() - return it
 *
 * Context: the job.
 * Return: NULL if no exit is waiting.
 */
struct exit *exit_next(void);
void exit_done(struct exit *exit);

/*
 * exit_sample() - sample the thread, and its process if this is the last thread
 * @entities: TASKRT_ENTITIES_* that are wanted
 * @groups: TASKRT_GROUP_* that are wanted of these
 *
 * Context: the job, with an exit that was not dropped.
 */
void exit_sample(struct exit *exit, u32 entities, u32 groups);

/* Waits until all exits that are waiting were reported.  No record closes then.  May sleep. */
void exit_flush(void);

/* Drops the exits of all tasks that have not closed.  No hook is attached.  May sleep. */
void exit_drop_rest(void);

#endif /* TASKRT_EXIT_H */
