/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process is a thread group, alive as long as it has any task.  It keeps the
 * totals of its threads that are gone and a list of the live ones.  A thread
 * moves from one to the other under the lock that a query holds while it sums
 * both (sample.h): totals never decrease and never count a thread twice.
 *
 * This is where the hooks and the readers meet; they know nothing else of
 * each other.
 */
#ifndef TASKRT_PROCESS_H
#define TASKRT_PROCESS_H

#include <linux/refcount.h>
#include <linux/spinlock.h>
#include "engine/totals.h"
#include "task/thread.h"

struct children;
struct walks;

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

	/*
	 * Preemption is off under it, and for a few threads at most: no reader that has
	 * lost the CPU holds up the worker, which folds for everybody.  What it protects,
	 * but for the walks, is written by the worker alone, which may read that without
	 * it.  Taken before lock.
	 */
	raw_spinlock_t fold;
	raw_spinlock_t lock;			/* leaf, irqs off: live's ends, threads' freed */
	struct list_head live;			/* RCU to walk it, fold to shorten it */
	u64 nr_live;				/* of them; under lock */
	u64 nr_tasks;				/* of them not freed yet; under lock */
	u64 nr_gone;				/* under fold */
	struct totals totals_gone;		/* under fold */
	struct walks *walks;			/* under fold; NULL: nobody has needed any */
	struct rcu_head rcu;
};

/*
 * What a reader is told about one thread or process.  On a stack it is __uninitialized:
 * it is large and filled in next, and many kernels would clear it before.
 */
struct sample {
	struct totals totals;
	u64 at;			/* the instant the totals are for */
	u64 tracked_since;
	u64 threads;		/* a process's: live and gone */
	u64 threads_gone;
	s32 cpu;		/* a thread's, or where it ended; negative: it has none */
	u8 state;		/* a thread's */
	bool late;
	bool incomplete;
};

/*
 * A sum over all threads, a few at a time.  A thread has been walked if its mark is
 * the walk's; one that joins while the walk is under way is born with that, and is
 * not of it.  A thread that is folded is added by who folds it, if it has not been
 * walked yet.
 */
struct walk {
	struct sample *sum;
	struct thread *next;	/* the first that has not been; NULL: there is none */
	bool mark;		/* written under lock as well */
};

/* Those of everybody who asks, one after the other: each asker does a part of it. */
struct walks {
	struct walk walk;	/* under way, if begun != ended */
	u64 begun;
	u64 ended;
	struct sample sums[2];	/* of a walk: by its number, odd and even */
};

/* As those of thread.h. */
int process_pool_init(void);
void process_pool_exit(void);
struct process *process_alloc(void);
void process_give_back(struct process *p);
void process_stock(void);
void process_free(struct process *p);

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

/* process_fold() - a freed thread, with its last totals, becomes one that is gone.  In the worker. */
void process_fold(struct process *p, struct thread *t, const struct totals *last);

/*
 * Adds what lies before tracking, and what the kernel counts itself.  The caller
 * holds on to the task, or holds its process's lock, or the thread is freed.
 */
void thread_since_creation(const struct thread *t, struct totals *totals);

/*
 * process_walk_begin(), process_walk_next() - p->walks' walk through all threads there are
 * @sum: who is gone is in it at once
 * Under fold, which may be let go of in between.
 * Return: the next one; NULL: that was the last.
 */
void process_walk_begin(struct process *p, struct sample *sum);
struct thread *process_walk_next(struct process *p);

/* What the threads that are gone have come to.  Under fold, or in the worker. */
void process_sum_gone(const struct process *p, struct sample *sum);

u64 process_count(void);

/* Bytes of so many, and of those in stock. */
u64 process_memory(u64 count);

/* Empties the table, calling end for each; no hook runs and no thread is left. */
void process_table_reset(void (*end)(struct process *p));

#endif /* TASKRT_PROCESS_H */
