/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process is a thread group, alive as long as it has any task.  It keeps the
 * totals of its threads that are gone and a list of the live ones.  A query
 * sums both under the mutex under which a thread moves from one to the other:
 * totals never decrease and never count a thread twice.
 *
 * This is where the hooks and the readers meet; they know nothing else of
 * each other.
 */
#ifndef TASKRT_PROCESS_H
#define TASKRT_PROCESS_H

#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include "thread.h"
#include "totals.h"

struct children;

struct process {
	struct hlist_node node;			/* in the table */
	const struct signal_struct *signal;	/* its key; compared, never followed */
	refcount_t refs;			/* the table's and the readers' */
	bool late;				/* existed before it was tracked */
	bool incomplete;			/* a thread of it was not tracked */
	bool leader_gone;			/* the leader was freed; under lock */
	bool unlinked;				/* left the table, for good; under lock */
	bool ended;				/* all was folded; the worker's */
	struct llist_node gone;			/* its untracked leader was freed; of the worker */
	u64 tracked_since;

	atomic_t exiting;			/* threads that are yet to be told of */
	struct task_struct *leader;		/* told of already, a reference; worker's */
	u64 closed_at;				/* the latest that was told; worker's */

	struct process *waiter;			/* who waited for its end, a reference */
	atomic_t awaited;			/* children waited for and not in yet */
	struct children *children;		/* under fold; NULL: none yet */

	struct mutex fold;			/* orders folding and summing */
	raw_spinlock_t lock;			/* leaf, irqs off: live's ends, threads' freed */
	struct list_head live;			/* RCU to walk it, fold to shorten it */
	u64 nr_live;				/* of them; under lock */
	u64 nr_tasks;				/* of them not freed yet; under lock */
	u64 nr_gone;				/* under fold */
	struct totals totals_gone;		/* under fold */
	struct rcu_head rcu;
};

/* What a reader is told about one thread or process. */
struct sample {
	struct totals totals;
	u64 at;			/* the instant the totals are for */
	u64 tracked_since;
	u64 threads;		/* a process's: live and gone */
	u64 threads_gone;
	u8 state;		/* a thread's */
	bool late;
	bool incomplete;
};

/* RCU read lock held, or process_find_get(), which takes a reference. */
struct process *process_find(const struct signal_struct *signal);
struct process *process_find_get(const struct signal_struct *signal);
void process_put(struct process *p);

/*
 * process_insert() - make a new process known
 * Return: @p, or the one that was there already; then @p is the caller's still.
 * Process context.
 */
struct process *process_insert(struct process *p);
void process_init(struct process *p, const struct signal_struct *signal, u64 now);
void process_join(struct process *p, struct thread *t);

/*
 * process_thread() - the thread of a task, if its process's totals include it
 * For readers: what they are told of a thread is in its process's totals later.
 * RCU read lock held.
 */
struct thread *process_thread(const struct task_struct *task);

/*
 * Hooks: the thread's task, or the leader that was not tracked, is about to be
 * freed.  With the last one the process leaves the table, because its key may be
 * another's at once.
 */
void thread_freed(struct thread *t);
void process_leader_freed(struct process *p);

/* Have all its threads closed?  In the worker. */
bool process_closed(struct process *p);

/* The task that tells who the process was.  In the worker. */
void process_set_leader(struct process *p, struct task_struct *leader);

/*
 * process_leave() - a freed thread becomes part of its process's totals
 * In the worker.  Return: true, if the process ended with it
 * and nobody looks at it: then it is the caller's, to be freed with the thread.
 */
bool process_leave(struct thread *t);

/* The process ends, if it left the table and no thread is left.  In the worker. */
void process_end_if_gone(struct process *p);

/* RCU read lock held (a thread), or a reference and may sleep (a process). */
void thread_sample(struct thread *t, struct sample *sample);
void process_sample(struct process *p, struct sample *sample);

u64 process_count(void);

/* No hook runs and no thread is left. */
void process_table_reset(void);

#endif /* TASKRT_PROCESS_H */
