/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of an exit, from the task to the listeners:
 *
 *	sched_process_exit	notes the identity of the task, if there is a listener
 *	last switch-out		closes the record, and queues it for the worker
 *	worker			delivers the exits to the sink, in the order of closing
 *
 * The record is closed after the address space was torn down, and includes the time
 * that this takes.
 */
#ifndef TASKRT_EXIT_H
#define TASKRT_EXIT_H

#include "task/process.h"

/* One exit, as it is delivered.  All of it is valid during the call only. */
struct exit {
	struct thread *thread;
	struct task_struct *task;
	/* For the last thread of a process: */
	bool last;
	struct task_struct *leader;	/* or the task, if the leader was not tracked */
	/* TASKRT_GROUP_* that the samples have: see exit_sample(). */
	u32 groups;
	u32 process_groups;
	struct sample sample;
	struct sample process;
};

/* The consumer of the exits.  The functions are called in the worker. */
struct exit_sink {
	void (*tell)(struct exit *exit);
	void (*lose)(const struct exit *exit);	/* instead of tell(); without samples */
	/* Called after a number of exits.  Return: true, to be called again later. */
	bool (*send)(void);
};

/*
 * exit_sample(), exit_sample_process() - see to it that a sample of @exit has @groups
 *
 * Nothing changes the thread any more, nor a process whose last thread it is.  So they are
 * sampled only when somebody wants a record of them, and for what is wanted in it; the
 * threads of a process are summed twice at most, once for times alone.
 * Context: the sink.
 */
void exit_sample(struct exit *exit, u32 groups);
void exit_sample_process(struct exit *exit, u32 groups);

extern bool exit_wanted;

/* Module load and unload.  No exit is delivered before and after.  May sleep. */
void exit_init(const struct exit_sink *sink);
void exit_exit(void);

/* Says whether there is a listener.  It applies to tasks that begin to exit from now on. */
void exit_want(bool wanted);

/*
 * exit_note() - the current task begins to exit: note its identity
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
 * exit_drain() - deliver exits whose records were closed before @end, the first ones first
 *
 * A thread is delivered before it is folded.  What closed before it was queued a grace
 * period ago, so nothing is delivered before it that ended later.
 * Context: the worker.
 * Return: true if all were delivered; false if there are more, for a further call.
 */
bool exit_drain(u64 end);

/* Delivers the exits whose records are closed.  No hook runs any more.  May sleep. */
void exit_stop(void);

/*
 * exit_lose() - a thread is about to be forgotten
 *
 * If its exit was noted, and not delivered, the listeners are told of a loss: accounting was
 * switched off before it closed, or its last switch was not seen.
 * Context: the worker.
 */
void exit_lose(struct thread *t);

#endif /* TASKRT_EXIT_H */
