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

struct process {
	struct hlist_node node;			/* in the table */
	const struct signal_struct *signal;	/* its key; compared, never followed */
	refcount_t refs;			/* the table's and the readers' */
	bool late;				/* existed before it was tracked */
	bool incomplete;			/* a thread of it was not tracked */
	bool leader_gone;			/* the leader was freed */
	bool ended;				/* left the table */
	struct llist_node gone;			/* its untracked leader was freed */
	u64 tracked_since;

	struct mutex fold;			/* orders folding and summing */
	raw_spinlock_t lock;			/* leaf; the list live, inside fold */
	struct list_head live;			/* RCU to walk it, fold to shorten it */
	u64 nr_live;				/* under lock */
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
 * Any context with interrupts on.
 */
struct process *process_insert(struct process *p);
void process_init(struct process *p, const struct signal_struct *signal, u64 now);
void process_join(struct process *p, struct thread *t);

/*
 * process_leave() - a freed thread becomes part of its process's totals
 * One caller at a time; may sleep.  Return: true, if the process ended with it
 * and nobody looks at it: then it is the caller's, to be freed with the thread.
 */
bool process_leave(struct thread *t);

/* The process ends, if its leader was freed and no thread is left. */
void process_end_if_gone(struct process *p);

/* RCU read lock held (a thread), or a reference and may sleep (a process). */
void thread_sample(struct thread *t, struct sample *sample);
void process_sample(struct process *p, struct sample *sample);

u64 process_count(void);

/* No hook runs and no thread is left. */
void process_table_reset(void);

#endif /* TASKRT_PROCESS_H */
