/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tracked thread, and the table in which a hook finds it by its task.  The key is
 * the address of the task, not the pid: a thread that executes a program may take
 * over the pid of the leader.
 */
#ifndef TASKRT_THREAD_H
#define TASKRT_THREAD_H

#include <linux/build_bug.h>
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include "engine/record.h"

struct mapping;
struct pid;
struct process;
struct recorder;

/* The identity of a thread, noted when it began to exit, for the listeners. */
struct thread_exit {
	struct llist_node node;		/* while it is closed, and not delivered yet */
	struct pid *tid;		/* NULL: the exit is not to be delivered */
	struct pid *tgid;
	struct pid *parent;
};

struct thread {
	struct hlist_node node;		/* in the table, until the task is freed */
	struct task_struct *task;	/* a reference is held while exit.tid is set */
	struct record record;

	/* The observers, which see each event of the thread: see observer.h. */
	struct mapping *mapping;
	struct recorder *recorder;

	struct process *process;
	union {
		struct list_head live;	/* in process->live */
		struct rcu_head rcu;	/* when it has left that list */
	};
	union {
		struct llist_node gone;	/* freed by the kernel, not yet folded */
		u64 alert_due;		/* before that: when the next alert is due */
	};
	bool late;			/* existed before it was tracked */
	bool freed;			/* task was freed; written under process->lock */
	bool dumpable;			/* when it began to exit, if that probe is on */
	bool observed;			/* mapping or recorder is set */
	bool walked;			/* see struct walk */
	u16 exit_cpu;
	u64 cpu_before_ns;		/* of a late thread: the kernel's totals */
	u64 queue_before_ns;
	struct thread_exit exit;
};

/*
 * The layout in cache lines; an object begins with one (see pool_init()).  A switch
 * writes the first line, and that of the state that the thread leaves.  No element of
 * states[] is split over two lines, except for longest.at.  A fault writes one line,
 * and a switch reads the same line to see whether the thread is in a fault.
 */
#ifdef CONFIG_64BIT
static_assert(offsetof(struct thread, record.states[1]) == 64 + 8);
static_assert(offsetof(struct thread, record.self_seq) % 64 == 0);
static_assert(offsetof(struct thread, record.timers[1]) ==
	      offsetof(struct thread, record.self_seq) + 64);
#endif

#define THREAD_TABLE_BITS	15

extern struct hlist_head thread_table[1 << THREAD_TABLE_BITS];
DECLARE_PER_CPU(struct thread *, thread_on_cpu);

/* Context: RCU read lock held; a hook has preemption off, which counts as that. */
static __always_inline struct thread *thread_find(const struct task_struct *task)
{
	const u32 bucket = hash_ptr(task, THREAD_TABLE_BITS);
	struct thread *t;

	hlist_for_each_entry_rcu_notrace(t, &thread_table[bucket], node)
		if (t->task == task)
			return t;
	return NULL;
}

/* Is each event of the thread observed?  Context: a hook. */
static __always_inline bool thread_observed(const struct thread *t)
{
	/* A mark that has just been set may be missed: see observer_mark_sync(). */
	return data_race(t->observed);
}

/*
 * The thread of the task that runs on this CPU.  sched_switch sets the per-CPU
 * pointer; before the first switch the thread is looked up in the table.
 * Context: preemption off.
 */
static __always_inline struct thread *thread_of_cpu(const struct task_struct *task)
{
	struct thread *t = __this_cpu_read(thread_on_cpu);

	if (likely(t) && likely(t->task == task))
		return t;
	return thread_find(task);
}

/* Module load and unload.  At unload no RCU callback that frees a thread may be pending. */
int thread_pool_init(void);
void thread_pool_exit(void);

/*
 * thread_alloc() - take a thread from the pool
 *
 * A thread that was not used is returned with thread_give_back().
 * Context: a hook in process context.  Both functions never sleep.
 * Return: a thread that is not initialized, or NULL.
 */
struct thread *thread_alloc(void);
void thread_give_back(struct thread *t);

/* Refills the stock of the pool.  May sleep. */
void thread_stock(void);

/* Frees a thread that no reader can reach any more.  Context: process or RCU callback. */
void thread_free(struct thread *t);

struct thread_counts {
	u64 made;
	u64 removed;		/* of those made, no longer in the table */
	u64 gone;		/* of those removed, folded */
};

/*
 * thread_insert() - add a thread to the table, where the hooks find it
 *
 * Return: 0; -EEXIST if the task is tracked already; -EDQUOT if there are @max threads.
 */
int thread_insert(struct thread *t, u64 max);
void thread_remove(struct thread *t);

/* A removed thread was folded.  Until then it counts towards the maximum. */
void thread_gone(void);

/*
 * thread_count() - read the counts, all at one instant
 *
 * Return: the number of threads in memory.  Those in the table are counted one by one.
 */
u64 thread_count(struct thread_counts *counts);

/* The memory of @count threads, of those in stock, and of the table, in bytes. */
u64 thread_memory(u64 count);

/* Empties the table, and calls @drop for each thread.  No hook runs. */
void thread_table_reset(void (*drop)(struct thread *t));

#endif /* TASKRT_THREAD_H */
