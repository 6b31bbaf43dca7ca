/* SPDX-License-Identifier: GPL-2.0-only */
/* A process is a thread group.  It is in the table until its last task is freed. */
#ifndef TASKRT_PROCESS_H
#define TASKRT_PROCESS_H

#include <linux/refcount.h>
#include "task/group.h"

struct children;

/* What the kernel counted for tasks that were reaped before their process was tracked. */
struct before {
	u64 cpu_ns;
	struct counters counters;
	bool any;		/* there were such tasks: their queue time is not known */
};

struct process {
	struct hlist_node node;			/* in the table */
	const struct signal_struct *signal;	/* the key; compared, never dereferenced */
	refcount_t refs;			/* the table's, readers' and reaped children's */
	bool preexisting;			/* existed before it was tracked */
	bool incomplete;			/* lacks something of a thread */
	bool leader_freed;			/* the leader was freed; under group.lock */
	bool unlinked;				/* left the table for good; under group.lock */
	bool folded;				/* all threads were folded; worker only */
	bool reported;				/* its own exit was taken; worker only */
	bool children_incomplete;		/* lacks something of a child */
	u16 home;				/* the CPU that allocated it */
	struct llist_node fold;			/* queued for the worker by fold_process() */
	u64 tracked_since;

	atomic_t exiting;			/* threads whose exit is noted and not done yet */
	atomic_t awaited;			/* reaped children that are not folded yet */
	struct task_struct *leader;		/* once its exit was taken; a reference; worker */
	u64 closed_at;				/* when the last thread closed; worker */

	struct process *waiter;			/* the process that waited for it; a reference */
	struct children *children;		/* under group.fold; NULL: none yet */
	struct before before;			/* of its threads, if preexisting; constant */
	struct before children_before;		/* of children that it waited for; constant */

	struct group group;			/* its threads */
	u64 nr_tasks;				/* tracked and not freed yet; under group.lock */
	struct rcu_head rcu;
};

/* Like thread_init(), thread_alloc() and so on in thread.h. */
int process_table_init(u64 max_threads);
void process_table_exit(void);
struct process *process_alloc(void);
void process_give_back(struct process *p);
void process_refill(void);
void process_free(struct process *p);

/*
 * process_find() needs the RCU read lock, or preemption off.  process_find_get() takes a
 * reference.  Both return NULL if the process is not in the table.
 */
struct process *process_find(const struct signal_struct *signal);
struct process *process_find_get(const struct signal_struct *signal);
void process_put(struct process *p);

/*
 * Adds a process to the table.  Context: process.
 * Return: @p; or the process with this key, if there is one: then the caller keeps @p.
 */
struct process *process_insert(struct process *p);
/* Initializes all but tracked_since. */
void process_init(struct process *p, const struct signal_struct *signal);
void process_join(struct process *p, struct thread *t);

/*
 * process_thread() - find the thread of a task, if readers may have it
 *
 * Readers may have a thread when the totals of its process include it, and its initial state is
 * known.  They use this instead of thread_find(), so that later totals of the process include what
 * they have seen of the thread.
 * Context: RCU read lock held, or preemption or interrupts off.
 */
struct thread *process_thread(const struct task_struct *task);

/* A wait was not timed: marks the thread and its process.  Context: a hook, in the thread. */
void thread_missed(struct thread *t);

/*
 * thread_freed() - the thread's task is about to be freed
 * process_leader_freed() - the leader, which was not tracked, is about to be freed
 *
 * With its last task the process leaves the table, because another process may get its key at
 * once.  Context: a hook.
 */
void thread_freed(struct thread *t);
void process_leader_freed(struct process *p);

/* True if the records of all threads are closed.  Context: the worker. */
bool process_closed(struct process *p);

/* Sets, or with NULL drops, the task that the exit record describes.  Context: the worker. */
void process_set_leader(struct process *p, struct task_struct *leader);

u64 process_count(void);

/* The bytes of @count processes, of cached ones, of attached memory, and of the table. */
u64 process_memory(u64 count);

/* Adds what the kernel counted before tracking started. */
void process_add_before(struct totals *totals, const struct before *before);

/* Like group_sample() and group_sample_closed(); the caller holds a reference to @p. */
int process_sample(struct process *p, struct sample *sample, u32 groups);
void process_sample_closed(struct process *p, struct sample *sample, u32 groups);

/* Completes a sum of threads, or of children, of @p.  @before: what the sum lacks. */
void process_sample_finish(const struct process *p, const struct before *before,
			   struct sample *sample);

/* Removes each process and calls @end for it.  Context: no hook runs, and no thread is left. */
void process_table_reset(void (*end)(struct process *p));

#endif /* TASKRT_PROCESS_H */
