/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tracked thread, and the table of threads.  The key is the address of the task and not the pid,
 * because a thread that executes a program may take over the pid of the leader.
 */
#ifndef TASKRT_THREAD_H
#define TASKRT_THREAD_H

#include <linux/build_bug.h>
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include "engine/record.h"
#include "task/counters.h"

struct mapping;
struct pid;
struct process;
struct recorder;

/* The ids of a thread, noted for the listeners when its exit started. */
struct thread_exit {
	struct llist_node node;		/* while the exit waits: see exit.h */
	struct pid *tid;		/* NULL: the exit is not to be delivered */
	struct pid *tgid;
	struct pid *parent;
	refcount_t refs;		/* references until the thread is folded: see exit.h */
	bool dropped;			/* the exit is only counted */
};

/* The page fault that the thread is in: see hook_fault_count.c. */
struct thread_fault {
	u32 returns_to;		/* a part of the return address of handle_mm_fault() */
	u16 stack;		/* a part of the stack pointer at its entry */
	u16 flags;		/* FAULT_FLAG_*, and more */
};

/* The group of the thread does not matter, or is not known. */
#define THREAD_NO_GROUP	((const struct task_group *)-1L)

/* A reclaim or compaction by the thread: see hook_freeing.c. */
struct thread_freeing {
	u64 since;
	u64 before;		/* record_computed() when it started */
	u32 depth;		/* 0: not in a reclaim or compaction */
};

struct thread {
	struct mapping *mapping;	/* an observer: see observer.h */
	struct task_struct *task;	/* a reference is held while exit.tid or task_kept is set */
	struct record record;
	struct thread_fault fault;

	struct recorder *recorder;	/* the other observer */
	struct process *process;
	union {
		struct list_head live;	/* in group->live */
		struct rcu_head rcu;	/* when it has left that list */
	};
	union {
		struct llist_node fold;	/* freed, and not folded yet */
		u64 alert_due;		/* not freed yet: when the next alert is due */
	};
	/* The next thread of the bucket without a slot; key is a copy of task, for lookups. */
	struct thread *more;
	struct task_struct *key;

	bool preexisting;		/* existed before it was tracked */
	u8 initial_state;		/* INITIAL_STATE_*; written by the tracker */
	bool freed;			/* task was freed; written under group->lock */
	bool dumpable;			/* when its exit started; set only while wanted */
	bool walk_mark;			/* see struct walks */
	bool incomplete;		/* a wait of the thread was not timed; set by itself */
	bool task_kept;			/* a reference is held after the free, for the delays */
	bool exiting;			/* see thread_exiting() */
	u16 exit_cpu;
	u16 home;			/* the CPU that allocated it */
	u16 throttle_cpu;		/* the CPU where it is queued */
	u64 cpu_before_ns;		/* the kernel's totals before tracking */
	u64 queue_before_ns;
	struct counters counters;	/* of the task, once it was freed */
	struct thread_exit exit;
	struct thread_freeing freeing;
	/* Set when the thread is queued, or moves while queued; readers check sched_seq. */
	const struct task_group *throttle_group;	/* NULL: no group had been throttled yet */
	u64 throttle_before;		/* the clock of that group at that time */
} __aligned(64);

/*
 * The layout in cache lines, to which pool_init() aligns a thread.  A switch writes the first line,
 * and the line of the state that the thread leaves.  No element of states[] is split over two
 * lines, except for longest.at.  A fault reads the first line, and writes the lines of fault and of
 * timers[].  A switch reads timers[] to see whether the thread is in a fault.
 */
#ifdef CONFIG_64BIT
static_assert(offsetof(struct thread, record.states[1]) == 64 + 8);
static_assert(offsetof(struct thread, record.self_seq) % 64 == 0);
static_assert(offsetof(struct thread, record.timers[TASKRT_TIMER_FAULT].longest.at) ==
	      offsetof(struct thread, record.self_seq) + 64);
static_assert(sizeof(struct thread) <= 1344);
#endif

/*
 * A bucket is one cache line with the keys of three threads.  A lookup reads this line and the
 * thread that it returns.  It never reads the record of another thread, which is written all the
 * time.  Further threads of the bucket are in a list, whose links are in a cold part of the thread.
 * With max_threads threads, there are two for each bucket, and one thread in nine is in a list.
 */
struct thread_slot {
	struct task_struct *task;	/* the key; NULL: the slot is free */
	struct thread *thread;		/* of the present key, or of the last one */
};

struct thread_bucket {
	struct thread *more;
	struct thread_slot slots[3];
} __aligned(64);

/* Constant while the module is loaded. */
struct thread_table {
	struct thread_bucket *buckets;
	unsigned long mask;		/* of the hash; gives an offset in bytes */
};

extern struct thread_table thread_table;

/* The thread that was switched in last, or thread_nobody: hooks need not test it for NULL. */
DECLARE_PER_CPU(struct thread *, thread_on_cpu);
extern struct thread thread_nobody;

/* The masked bits of the hash are an offset in bytes, and need no further shift. */
static __always_inline struct thread_bucket *thread_bucket(const struct thread_table *table,
							   const struct task_struct *task)
{
	const u64 hash = (u64)(unsigned long)task * GOLDEN_RATIO_64;

	return (void *)table->buckets + ((unsigned long)(hash >> 32) & table->mask);
}

static __always_inline struct thread *thread_of_slot(const struct thread_slot *slot)
{
	struct thread *t;

	smp_rmb();	/* the key before the thread; pairs with thread_put() */
	t = READ_ONCE(slot->thread);
	/* A slot with a key has a thread.  So the compiler can drop the callers' tests for NULL. */
	if (!t)
		__builtin_unreachable();
	return t;
}

static __always_inline bool thread_slot_has(const struct thread_slot *slot,
					    const struct task_struct *task)
{
	/* Other slots may change concurrently, but not the slot of an existing task. */
	return data_race(slot->task) == task;
}

static __always_inline struct thread *thread_find_in(const struct thread_table *table,
						     const struct task_struct *task)
{
	const struct thread_bucket *bucket = thread_bucket(table, task);
	struct thread *t;

	/* No loop and no call: they would cost the hooks registers. */
	if (likely(thread_slot_has(&bucket->slots[0], task)))
		return thread_of_slot(&bucket->slots[0]);
	if (thread_slot_has(&bucket->slots[1], task))
		return thread_of_slot(&bucket->slots[1]);
	if (thread_slot_has(&bucket->slots[2], task))
		return thread_of_slot(&bucket->slots[2]);
	/* Pairs with thread_put(), by address dependency. */
	for (t = READ_ONCE(bucket->more); t; t = READ_ONCE(t->more))
		if (t->key == task)
			return t;
	return NULL;
}

/*
 * Finds the thread of a task.  If the task may have been freed, the result may be the thread of
 * another task: see thread_find_alive().  Context: RCU read lock held, or preemption off.
 */
static __always_inline struct thread *thread_find(const struct task_struct *task)
{
	return thread_find_in(&thread_table, task);
}

/* Like thread_find(), for a task that may have been freed already. */
static inline struct thread *thread_find_alive(const struct task_struct *task)
{
	struct thread *t = thread_find(task);

	return t && t->task == task ? t : NULL;
}

/* How much is known of the state of a thread that has had no event yet. */
enum {
	INITIAL_STATE_KNOWN,		/* the guess is right */
	INITIAL_STATE_GUESSED_AGAIN,	/* after the switches that missed the record */
	INITIAL_STATE_GUESSED,		/* the first guess, maybe during a switch */
	INITIAL_STATE_NEW,		/* not started yet: see record_start() */
};

/*
 * True if readers may have the thread: its clock has started, and its state is not a guess that may
 * be wrong.  An event that corrected a guess would take back times that readers have seen.
 */
static inline bool thread_initial_state_known(const struct thread *t)
{
	if (READ_ONCE(t->initial_state) != INITIAL_STATE_KNOWN &&
	    record_present(&t->record) == STATE_UNSEEN &&
	    record_state(&t->record) != TASKRT_STATE_EXITED)
		return false;
	/* Read this before the totals; pairs with rescan_guess(), or with record_sched_begin(). */
	smp_rmb();
	return true;
}

/* True if a mapping or a recorder observes the thread.  Context: a hook. */
static __always_inline bool thread_observed(const struct thread *t)
{
	/* A mark that has just been set may be missed: see observer_mark_sync(). */
	return data_race(t->record.observed);
}

/*
 * Finds the thread of the current task in thread_on_cpu, which sched_switch sets; before the first
 * switch, in the table.  Context: preemption off, in a hook that is detached before sched_switch:
 * after that, thread_on_cpu may point to a freed thread.
 */
static __always_inline struct thread *thread_of_cpu(const struct task_struct *task)
{
	struct thread *t = __this_cpu_read(thread_on_cpu);
	const struct thread_table *table = &thread_table;

	if (likely(t->task == task))
		return t;
	/* Keep the compiler from hoisting the loads of the table's members above the return. */
	OPTIMIZER_HIDE_VAR(table);
	return thread_find_in(table, task);
}

/*
 * Module load and unload.  At unload no RCU callback that frees a thread may be pending.
 * @max: how many threads may be tracked
 * @waiting: how many exits may wait for delivery.  At most 2 * @max + @waiting threads may be in
 *	     memory and not folded.
 */
int thread_init(u64 max, u64 waiting);

/*
 * How many threads can exist: @max, but not more than PID_MAX_LIMIT, or than the kernel stacks that
 * fit into memory.
 */
unsigned long thread_most(u64 max);

void thread_exit(void);

/*
 * thread_alloc() returns a thread that is not initialized, or NULL; thread_give_back() takes back
 * an unused one.  Neither sleeps.  Context: a hook in process context.
 */
struct thread *thread_alloc(void);
void thread_give_back(struct thread *t);

/* Refills the pool.  May sleep. */
void thread_refill(void);

/* Frees a thread that no reader can reach.  Context: process or RCU callback. */
void thread_free(struct thread *t);

/* Adds a thread to the table, where the hooks find it.  Return: 0; -EEXIST: the task has one. */
int thread_insert(struct thread *t);
void thread_remove(struct thread *t);

/* The thread is exiting, and no longer counts towards the maximum. */
void thread_exiting(struct thread *t);

/*
 * Removed threads were folded.  Until then they count towards a second limit, 2 * @max + @waiting
 * of thread_init(), which bounds the memory.  Context: the worker.
 */
void thread_folded(unsigned int nr);

/* True if another thread may be inserted.  CPUs that test at once may each exceed a limit by 1. */
bool thread_below_limits(void);

struct thread_counts {
	u64 made;
	u64 folded;		/* of those made */
	u64 kept;		/* the others */
};

void thread_counts(struct thread_counts *counts);

/* The bytes of @count threads, of cached ones, and of the table. */
u64 thread_memory(u64 count);

/* Calls @visit for each thread in the table.  Context: no thread is added or removed. */
void thread_table_each(void (*visit)(struct thread *t));

/* Empties the table, and calls @drop for each thread.  Context: no hook runs. */
void thread_table_reset(void (*drop)(struct thread *t));

#endif /* TASKRT_THREAD_H */
