/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A group of threads, such as a process.  It keeps the totals of its folded threads, and a list of
 * the others.  A thread moves from the list to the totals under the lock fold, so totals never
 * decrease, and no thread is counted twice.
 *
 * Any user may query a group, and the worker must not wait long for a reader.  Therefore a query
 * holds fold, with preemption off, for a few threads only.  If a group has more threads, all its
 * readers continue the same walk.  A thread that is folded before the walk has reached it is added
 * to the walk's sum.  A reader takes the sum of a walk that started after its request.
 */
#ifndef TASKRT_GROUP_H
#define TASKRT_GROUP_H

#include <linux/spinlock.h>
#include "task/sample.h"

struct walks;

struct group {
	/*
	 * Held with preemption off, for a few threads at most, so that a preempted reader cannot
	 * block the worker.  It protects the totals, the walks, and removal from live.  Only the
	 * worker changes the totals and removes threads, so it may read both without the lock.
	 * fold is taken before lock.
	 */
	raw_spinlock_t fold;
	/* Held with interrupts off.  Protects additions to live, and more: see locking.md. */
	raw_spinlock_t lock;
	struct list_head live;		/* read under RCU; removal needs fold and lock */
	u64 nr_live;			/* under lock */
	u64 nr_folded;			/* under fold */
	struct totals *folded;		/* under fold; NULL: no thread is folded yet */
	struct walks *walks;		/* set once, under fold; NULL: no query needed it */
	unsigned int attached;		/* bytes attached with group_attach(); under fold */
};

int groups_init(void);
void groups_exit(void);

void group_init(struct group *g);

/* Frees the memory that is attached to the group. */
void group_free(struct group *g);

/* The bytes that are attached to all groups. */
u64 groups_memory(void);

/* Counts memory that is freed together with the group.  Context: fold is held. */
void group_attach(struct group *g, unsigned int size);

/* Adds a live thread.  Context: lock is held. */
void group_join(struct group *g, struct thread *t);

/* Moves a freed thread from the list to the totals.  Context: the worker. */
void group_fold(struct group *g, struct thread *t);

/*
 * group_sample() - sum the threads of a group
 * @g: the caller keeps it from being freed
 * @groups: TASKRT_GROUP_* that are requested; times are always summed, and the members of groups
 *	    that are not requested are undefined
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINTR if the current task is being killed.
 */
int group_sample(struct group *g, struct sample *sample, u32 groups);

/* Like group_sample(), for a group whose threads are all closed.  Context: the worker. */
void group_sample_closed(struct group *g, struct sample *sample, u32 groups);

#endif /* TASKRT_GROUP_H */
