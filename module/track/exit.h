/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exits, from a task's last moments to those who are told of them.
 *
 *	sched_process_exit	its identity is noted, if anybody is to be told
 *	last switch-out		its record is closed, and handed on
 *	worker			tells the sink, in the order in which they closed
 *
 * The time that the address space takes to be torn down is in the record: it
 * is closed after that.
 */
#ifndef TASKRT_EXIT_H
#define TASKRT_EXIT_H

#include "task/process.h"

/* One exit, as it is told.  All of it is valid during the call only. */
struct exit {
	struct thread *thread;
	struct task_struct *task;
	struct sample sample;
	/* With the last thread of a process: */
	bool last;
	struct task_struct *leader;	/* or, if that was not tracked, the task */
	struct sample process;
};

/* Both in the worker. */
struct exit_sink {
	void (*tell)(const struct exit *exit);
	/* After some were told.  Return: true, to be called again in a while. */
	bool (*send)(void);
};

extern bool exit_wanted;

/* Module load and unload; nothing is told before and after.  May sleep. */
void exit_init(const struct exit_sink *sink);
void exit_exit(void);

/* Does anybody want to be told?  Of those who begin to exit from now on. */
void exit_want(bool wanted);

/* Hook: the current task begins to exit.  Return: false, if it is not tracked. */
bool exit_note(struct task_struct *task);

/* Hook, under the runqueue lock: the task left the CPU for good, its record is closed. */
void __cold exit_closed(struct thread *t);

/*
 * exit_drain() - tell of all that have closed
 * In the worker.  A thread that was handed on is not folded before.
 */
void exit_drain(void);

/* No hook runs any more: tell of those that closed.  May sleep. */
void exit_stop(void);

/* The thread will not close any more, or has been told. */
void exit_forget(struct thread *t);

#endif /* TASKRT_EXIT_H */
