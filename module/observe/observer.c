// SPDX-License-Identifier: GPL-2.0-only
#include "observe/observer.h"

struct observer_bucket observer_buckets[1 << OBSERVER_BITS];
static bool ready;

void observer_init(void)
{
	struct observer_bucket *bucket;

	for (bucket = observer_buckets; bucket < observer_buckets + ARRAY_SIZE(observer_buckets);
	     bucket++) {
		raw_spin_lock_init(&bucket->lock);
		INIT_LIST_HEAD(&bucket->mappings);
	}
	smp_store_release(&ready, true);	/* after the buckets are initialized */
}

bool observer_ready(void)
{
	return smp_load_acquire(&ready);	/* pairs with observer_init() */
}

void observer_mark(struct thread *t)
{
	WRITE_ONCE(t->record.observed, true);
	WRITE_ONCE(t->record.state, t->record.state | STATE_OBSERVED);
}

/* A running hook may still overwrite the mark with a state that it has read before. */
static void observer_mark_state(struct thread *t)
{
	u8 *state = &t->record.state, seen = READ_ONCE(*state);

	while (seen != TASKRT_STATE_EXITED &&
	       cmpxchg(state, seen, (u8)(seen | STATE_OBSERVED)) != seen)
		seen = READ_ONCE(*state);
}

static bool observer_marked(const struct thread *t)
{
	const u8 state = READ_ONCE(t->record.state);

	return (state & STATE_OBSERVED) || state == TASKRT_STATE_EXITED;
}

/* Set missing marks.  Return: true if none was missing. */
static bool observer_settle(struct task_struct *task)
{
	struct thread *t;
	bool done;

	rcu_read_lock();
	t = thread_find_alive(task);
	done = !t || !READ_ONCE(t->recorder) ||
	       (READ_ONCE(t->record.observed) && observer_marked(t));
	if (!done) {
		WRITE_ONCE(t->record.observed, true);
		observer_mark_state(t);
	}
	rcu_read_unlock();
	return done;
}

void observer_mark_sync(struct task_struct *task)
{
	/* Once all hooks that were running have ended, no hook overwrites the mark. */
	while (!observer_settle(task))
		synchronize_rcu();
}

void observer_unmark(struct thread *t)
{
	WRITE_ONCE(t->record.observed, false);
	WRITE_ONCE(t->record.state, record_present(&t->record));
	/*
	 * A task that arms the thread now may have seen the marks, and not set them.  Then its
	 * recorder is visible here: pairs with armed_attach().
	 */
	smp_mb();
	if (unlikely(READ_ONCE(t->recorder)))
		observer_mark(t);
}
