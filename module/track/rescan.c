// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "task/process.h"
#include "task/wait.h"
#include "track/birth.h"
#include "track/gaps.h"
#include "track/rescan.h"
#include "track/tasks.h"

#define DELAY		HZ
#define DELAY_MAX	(60 * HZ)

/*
 * Allows one walk at a time: two walks could guess the state of a task twice without a grace period
 * in between.
 */
static DEFINE_MUTEX(rescan_mutex);

static atomic64_t repaired;

/* This work waits for grace periods, which may take long, so it does not run in the worker. */
static void rescan_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(rescan_work, rescan_work_fn);
static unsigned long delay = DELAY;

void rescan_later(void)
{
	schedule_delayed_work(&rescan_work, READ_ONCE(delay));
}

struct rescan_walk {
	bool first;
	bool refilled;		/* no record was made after the pools were refilled */
	u64 made;
	struct rescan_counts counts;
};

/* Return: 0; -ENOMEM: refill the pools; -EDQUOT: the limit is reached, and no more can be made. */
static int rescan_visit(struct task_struct *task, void *arg)
{
	struct rescan_walk *walk = arg;
	int err = thread_find(task) ? -EEXIST : birth_record(task, true);

	if (err == -ENOMEM && !walk->refilled)
		return err;
	if (err == -ENOMEM || err == -EDQUOT)
		gaps_note(task);
	if (!err)
		walk->refilled = false;
	walk->made += !err;
	walk->counts.no_memory += err == -ENOMEM;
	walk->counts.refused += err == -EDQUOT;
	/*
	 * At the limit the first walk goes on, to count each untracked task and mark its process.
	 * Later walks stop.
	 */
	return err == -EDQUOT && !walk->first ? err : 0;
}

/* Tasks created during the walk may be missed: if their fork hook fails, it schedules a walk. */
static void rescan_all(struct rescan_walk *walk)
{
	struct tasks at = {};
	int more;

	lockdep_assert_held(&rescan_mutex);
	gaps_walk();
	do {
		more = tasks_stride(&at, rescan_visit, walk);
		if (more == -ENOMEM) {
			thread_refill();
			process_refill();
			walk->refilled = true;
		}
		cond_resched();
	} while (more == 1 || more == -ENOMEM);
}

/*
 * A guess is final if the same state was guessed twice, and is not WOKEN.  A task that is being
 * woken may need longer than a grace period to get to a runqueue.  Since 6.12 a task that sleeps
 * may look queued for an instant without any event.
 */
static void rescan_guess(struct thread *t, u8 guess)
{
	const bool same = guess == READ_ONCE(t->record.guess) && guess != TASKRT_STATE_WOKEN;

	if (READ_ONCE(t->initial_state) == INITIAL_STATE_GUESSED_AGAIN && same) {
		smp_store_release(&t->initial_state, INITIAL_STATE_KNOWN);	/* after guess */
		return;
	}
	WRITE_ONCE(t->record.guess, guess);
	WRITE_ONCE(t->initial_state, INITIAL_STATE_GUESSED_AGAIN);
}

static int rescan_guess_task(struct task_struct *task, void *left)
{
	struct thread *t = thread_find(task);

	if (!t || READ_ONCE(t->initial_state) == INITIAL_STATE_KNOWN ||
	    READ_ONCE(t->initial_state) == INITIAL_STATE_NEW ||
	    record_present(&t->record) != STATE_UNSEEN)
		return 0;
	rescan_guess(t, wait_guess(task));
	*(bool *)left |= READ_ONCE(t->initial_state) != INITIAL_STATE_KNOWN;
	return 0;
}

/* If a state is unknown after this many, an event or a rescan that makes a record settles it. */
#define ROUNDS	10

/*
 * The first guess may be wrong because a switch was in progress whose hook did not find the record.
 * Such switches end within a grace period.  The second guess may be wrong because another switch is
 * in progress, but its hook finds the record.  So if a task has had no event after a further grace
 * period, its second guess was right.
 */
static void rescan_guess_again(void)
{
	int rounds = 0;
	bool left;

	lockdep_assert_held(&rescan_mutex);
	do {
		struct tasks at = {};

		left = false;
		synchronize_rcu();
		while (tasks_stride(&at, rescan_guess_task, &left))
			cond_resched();
	} while (left && ++rounds < ROUNDS);
}

static unsigned long rescan_next_delay(const struct rescan_walk *walk)
{
	if (walk->made || !gaps_now())
		return DELAY;
	return min_t(unsigned long, 2 * READ_ONCE(delay), DELAY_MAX);
}

static void rescan_work_fn(struct work_struct *work)
{
	struct rescan_walk walk = {};

	mutex_lock(&rescan_mutex);
	if (thread_below_limits())
		rescan_all(&walk);
	atomic64_add(walk.made, &repaired);
	if (walk.made)
		rescan_guess_again();
	mutex_unlock(&rescan_mutex);
	WRITE_ONCE(delay, rescan_next_delay(&walk));
	if (gaps_now())
		rescan_later();
}

void rescan_folded(void)
{
	if (!gaps_now() || !thread_below_limits())
		return;
	/* The next walk may have been postponed while the limit was reached. */
	if (xchg(&delay, DELAY) > DELAY)
		cancel_delayed_work(&rescan_work);
	rescan_later();
}

void rescan_renumbered(struct task_struct *task)
{
	struct thread *t;

	rcu_read_lock();
	t = thread_find(task);
	if (t) {
		/* The guess comes first, as in rescan_guess(). */
		WRITE_ONCE(t->record.guess, TASKRT_STATE_RUNNING);
		smp_store_release(&t->initial_state, INITIAL_STATE_KNOWN);
	} else {
		gaps_suspect();
		rescan_later();
	}
	rcu_read_unlock();
}

void rescan_first(struct rescan_counts *counts)
{
	struct rescan_walk walk = { .first = true };

	mutex_lock(&rescan_mutex);
	rescan_all(&walk);
	rescan_guess_again();
	mutex_unlock(&rescan_mutex);
	*counts = walk.counts;
	gaps_walked();
	if (gaps_now())
		rescan_later();
}

void rescan_stop(void)
{
	cancel_delayed_work_sync(&rescan_work);
	atomic64_set(&repaired, 0);
	delay = DELAY;
	gaps_reset();
}

u64 rescan_count(void)
{
	return atomic64_read(&repaired);
}
