/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that is tracked, and the table in which a hook finds it by its
 * task.  Keyed by task, never by pid: an exec may take over another's pid.
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

/* Who it was, noted when it began to exit, for those who are told of it. */
struct thread_exit {
	struct llist_node node;		/* it is closed and not told yet */
	struct pid *tid;		/* NULL: nobody is to be told */
	struct pid *tgid;
	struct pid *parent;
};

struct thread {
	struct hlist_node node;		/* in the table, until the task is freed */
	struct task_struct *task;	/* a reference is held while exit.tid is set */
	struct record record;

	/* Who looks at each of its events: see observer.h. */
	struct mapping *mapping;
	struct recorder *recorder;

	struct process *process;
	union {
		struct list_head live;	/* of process */
		struct rcu_head rcu;	/* when no longer of process */
	};
	union {
		struct llist_node gone;	/* freed by the kernel, not yet folded */
		u64 alert_due;		/* until then; of the alerts' rate limit */
	};
	bool late;			/* existed before it was tracked */
	bool freed;			/* task is no more; under process->lock */
	bool dumpable;			/* when it began to exit, if somebody asked */
	bool observed;			/* one of mapping and recorder is there */
	bool walked;			/* see struct walk */
	u16 exit_cpu;
	u64 cpu_before_ns;		/* of a late one: the kernel's totals */
	u64 queue_before_ns;
	struct thread_exit exit;
};

/*
 * On cache lines, with the first of which it begins (see pool_init()): a switch writes the
 * first one and that of the state that is left, of which no slot is torn apart but for
 * when its longest began.  A fault writes one, and a switch looks there whether
 * there is any.
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

/* The caller keeps RCU's grace periods away: a hook by having preemption off. */
static __always_inline struct thread *thread_find(const struct task_struct *task)
{
	const u32 bucket = hash_ptr(task, THREAD_TABLE_BITS);
	struct thread *t;

	hlist_for_each_entry_rcu_notrace(t, &thread_table[bucket], node)
		if (t->task == task)
			return t;
	return NULL;
}

/*
 * The thread of the task on this CPU.  Preemption is off.  The pointer is set
 * at sched_switch; until the first one after load it is looked up.
 */
static __always_inline struct thread *thread_of_cpu(const struct task_struct *task)
{
	struct thread *t = __this_cpu_read(thread_on_cpu);

	if (likely(t) && likely(t->task == task))
		return t;
	return thread_find(task);
}

/* Module load and unload: where they come from.  At unload no RCU callback is pending. */
int thread_pool_init(void);
void thread_pool_exit(void);

/*
 * thread_alloc() - one that is not initialized, or NULL
 * For a hook in process context; never sleeps.  What was not used goes back by
 * thread_give_back(), from there as well.
 */
struct thread *thread_alloc(void);
void thread_give_back(struct thread *t);

/* Fills the stock up.  May sleep. */
void thread_stock(void);

/* Process context or RCU callback; nobody can see it any more. */
void thread_free(struct thread *t);

struct thread_counts {
	u64 made;
	u64 removed;		/* of these, no longer in the table */
	u64 gone;		/* of these, folded */
};

/*
 * thread_insert() - make it known to the hooks
 * Return: 0; -EEXIST; -EDQUOT: there are max.
 */
int thread_insert(struct thread *t, u64 max);
void thread_remove(struct thread *t);

/* A removed one is let go.  Until then it counts for max. */
void thread_gone(void);

/* All counts at one instant, and the records there are: those in the table one by one. */
u64 thread_count(struct thread_counts *counts);

/* Bytes of so many, of those in stock, and of the table. */
u64 thread_memory(u64 count);

/* Empties the table, calling drop for each; no hook runs. */
void thread_table_reset(void (*drop)(struct thread *t));

#endif /* TASKRT_THREAD_H */
