/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A group of threads, such as a process.  It keeps the totals of its threads that are folded,
 * and a list of the others.  A thread moves from the list to the totals under the lock
 * fold.  Therefore totals never decrease, and no thread is counted twice.
 *
 * Any user may ask for the sum of both, and a reader may lose the CPU for a long time.  The
 * worker must not wait for that.  Therefore a query holds fold, with preemption off, for a
 * few threads only.  If a group has more threads, all its readers continue the same walk over
 * the threads, and whatever moves a thread adds it to the walk that has not come to it.  A
 * reader is answered by the first walk that started after it asked.
 */
#ifndef TASKRT_GROUP_H
#define TASKRT_GROUP_H

#include <linux/spinlock.h>
#include "task/sample.h"

struct walks;

struct group {
	/*
	 * Preemption is off under it, and it is held for a few threads at most: no reader
	 * that has lost the CPU holds up the worker, which folds for everybody.  What it
	 * protects, except the walks, is written by the worker alone, which may read that
	 * without it.  Taken before lock.
	 */
	raw_spinlock_t fold;
	/*
	 * Interrupts are off under it.  It protects both ends of live, and freed of the
	 * threads.  The lock of a bucket of processes is taken under it, and some of the
	 * kernel's own: see docs/locking.md.
	 */
	raw_spinlock_t lock;
	struct list_head live;		/* RCU to walk it, fold to shorten it */
	u64 nr_live;			/* of them; under lock */
	u64 nr_folded;			/* under fold */
	struct totals *folded;		/* under fold; NULL: no thread is folded yet */
	struct walks *walks;		/* set once, under fold; NULL: no query needed it */
	unsigned int attached;		/* bytes of what it and its owner point to; under fold */
};

/* Module load and unload. */
int groups_init(void);
void groups_exit(void);

void group_init(struct group *g);

/* Frees what the group points to. */
void group_free(struct group *g);

/* The bytes that are attached to all groups. */
u64 groups_memory(void);

/* Counts memory that is freed with the group.  Context: fold is held. */
void group_attach(struct group *g, unsigned int size);

/* Adds a live thread.  Context: lock is held. */
void group_join(struct group *g, struct thread *t);

/*
 * group_fold() - move a freed thread from the list to the totals
 *
 * Context: the worker.
 */
void group_fold(struct group *g, struct thread *t);

/*
 * group_sample() - sum the threads of a group
 * @g: the caller keeps it from being freed
 * @groups: TASKRT_GROUP_* for which the totals are wanted; times always are, and the
 *	    members of other groups are to be ignored
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINTR if the current task is being killed.
 */
int group_sample(struct group *g, struct sample *sample, u32 groups);

/* The same for a group whose threads are all closed.  Context: the worker. */
void group_sample_closed(struct group *g, struct sample *sample, u32 groups);

#endif /* TASKRT_GROUP_H */
