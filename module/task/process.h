/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process is a thread group.  It exists as long as it has any task.  It keeps the
 * totals of its folded threads, and a list of the others.  The worker folds a thread, from
 * the list to the totals, under the lock fold.  A query of few threads holds fold
 * while it sums both.  With more threads a query releases fold between strides, and
 * the worker adds a thread that it folds to the walk that has not visited it (struct walk).
 * Therefore totals never decrease, and no thread is counted twice.
 *
 * Hooks and readers share only this structure.
 */
#ifndef TASKRT_PROCESS_H
#define TASKRT_PROCESS_H

#include <linux/refcount.h>
#include <linux/spinlock.h>
#include "engine/totals.h"
#include "task/thread.h"

struct children;
struct walks;

/* The kernel's counts of tasks that ended before their process was tracked. */
struct before {
	u64 cpu_ns;
	struct values values;
	bool any;		/* there were some; the kernel keeps no queue time of them */
};

struct process {
	struct hlist_node node;			/* in the table */
	const struct signal_struct *signal;	/* the key; compared, never dereferenced */
	refcount_t refs;			/* the table's, readers' and reaped children's */
	bool late;				/* existed before it was tracked */
	bool incomplete;			/* something of a thread is missing */
	bool leader_gone;			/* the leader was freed; under lock */
	bool unlinked;				/* left the table for good; under lock */
	bool ended;				/* all threads were folded; worker only */
	struct llist_node gone;			/* queued for the worker by fold_process() */
	u64 tracked_since;

	atomic_t exiting;			/* threads whose exit is noted, not done yet */
	unsigned int attached;			/* bytes of what it points to; under fold */
	struct task_struct *leader;		/* whose exit was delivered; a reference; worker */
	u64 closed_at;				/* latest end of a delivered thread; worker */
	bool reported;				/* its own exit was delivered, or dropped; worker */
	bool children_incomplete;		/* something of a child is missing */
	u16 home;				/* the CPU that allocated it */

	struct process *waiter;			/* the process that waited for this; a reference */
	atomic_t awaited;			/* reaped children that are not folded yet */
	struct children *children;		/* under fold; NULL: none yet */
	struct before before;			/* its threads, of a late process; constant */
	struct before children_before;		/* children that were waited for; likewise */

	/*
	 * Held with preemption off, for 16 threads at most, so that a preempted reader cannot
	 * block the worker.  Except the walks, only the worker writes the data that it protects,
	 * and may read them without it.  Taken before lock.
	 */
	raw_spinlock_t fold;
	/*
	 * Held with interrupts off.  It protects both ends of live, and freed of the threads.
	 * Taken under it: the lock of a bucket of processes, and some of the kernel's: see
	 * docs/developer/locking.md.
	 */
	raw_spinlock_t lock;
	struct list_head live;			/* RCU to walk it, fold to shorten it */
	u64 nr_live;				/* of them; under lock */
	u64 nr_tasks;				/* of them not freed yet; under lock */
	u64 nr_gone;				/* under fold */
	struct totals *totals_gone;		/* under fold; NULL: no thread is folded yet */
	struct walks *walks;			/* set once, under fold; NULL: no query needed it */
	struct rcu_head rcu;
};

/*
 * A reader's view of one thread or process.  On a stack it is __uninitialized:
 * it is large and filled in next, and many kernels would clear it before.
 */
struct sample {
	struct totals totals;
	u64 at;			/* the instant the totals are for */
	u64 tracked_since;
	u64 threads;		/* a process's: live and gone */
	u64 threads_gone;
	s32 cpu;		/* where a thread runs or ended; negative: does not apply */
	u8 state;		/* a thread's */
	bool late;
	bool incomplete;
	bool queue_unknown;	/* queue_ns lacks threads that had ended before */
	bool pending;		/* children's: some are reaped, and not folded yet */
};

/*
 * A sum over all threads of a process, a few at a time.  A thread has been visited if
 * its mark (thread.walked) equals the mark of the walk.  A thread that joins during
 * the walk gets this mark at once, and is not part of the sum.  If a thread is
 * folded before it was visited, process_fold() adds its last totals to the sum.
 */
struct walk {
	struct sample *sum;
	struct thread *next;	/* the first that was not visited; NULL: all were */
	bool mark;		/* written under lock as well */
};

/* The walks of all readers of a process, one after the other.  Each reader does a part. */
struct walks {
	struct walk walk;	/* in progress if begun != ended */
	u64 begun;
	u64 ended;
	atomic_t all;		/* readers that want more than times */
	u32 groups;		/* TASKRT_GROUP_* of the walk in progress */
	struct sample sums[2];	/* the n-th walk has sums[n & 1] */
};

/* Like the functions of thread.h. */
int process_table_init(u64 max_threads);
void process_table_exit(void);
struct process *process_alloc(void);
void process_give_back(struct process *p);
void process_stock(void);
void process_free(struct process *p);

/*
 * process_find() needs the RCU read lock, or preemption off.  process_find_get() takes
 * a reference.  Both return NULL if the process is not in the table.
 */
struct process *process_find(const struct signal_struct *signal);
struct process *process_find_get(const struct signal_struct *signal);
void process_put(struct process *p);

/*
 * process_insert() - add a process to the table
 *
 * Context: process context.
 * Return: @p, or the process of this key that was in the table already.  In that
 * case @p still belongs to the caller.
 */
struct process *process_insert(struct process *p);
/* Initializes all but tracked_since. */
void process_init(struct process *p, const struct signal_struct *signal);
void process_join(struct process *p, struct thread *t);

/*
 * process_thread() - find the thread of a task, if the totals of its process include it
 *
 * An unsettled one is not found.
 *
 * Readers use this instead of thread_find(), so that what they have seen of a thread
 * is also in the later totals of its process.
 * Context: the RCU read lock is held, or preemption or interrupts are off, which does
 * the same on every kernel since 5.0, also with PREEMPT_RT.
 */
struct thread *process_thread(const struct task_struct *task);

/*
 * thread_missed() - a wait of the thread could not be timed
 *
 * It marks the thread and its process.  Context: a hook, in the thread itself.
 */
void thread_missed(struct thread *t);

/*
 * thread_freed() - the thread's task is about to be freed
 * process_leader_freed() - the leader, which was not tracked, is about to be freed
 *
 * With its last task the process leaves the table, because another process may get
 * the same key at once.
 * Context: a hook.
 */
void thread_freed(struct thread *t);
void process_leader_freed(struct process *p);

/* True if the records of all threads are closed.  Context: the worker. */
bool process_closed(struct process *p);

/* Set the task that identifies the process in its exit record.  Context: the worker. */
void process_set_leader(struct process *p, struct task_struct *leader);

u64 process_count(void);

/* The memory of @count processes, of those in stock, of what is attached, and of the table. */
u64 process_memory(u64 count);

/* For totals_gone.  Context: the worker; it never fails. */
struct totals *process_totals_alloc(void);

/* Counts memory that process_free() will free with the process.  Context: fold is held. */
void process_attach(struct process *p, unsigned int size);

/* Empties the table, and calls @end for each process.  No hook runs, no thread is left. */
void process_table_reset(void (*end)(struct process *p));

#endif /* TASKRT_PROCESS_H */
