// SPDX-License-Identifier: GPL-2.0-only
#include "observe/observer.h"

DEFINE_RAW_SPINLOCK(observer_lock);

void observer_mark(struct thread *t)
{
	WRITE_ONCE(t->observed, true);
	WRITE_ONCE(t->record.state, t->record.state | STATE_OBSERVED);
}

/* A hook that is under way may take the mark away: it writes the state from before. */
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

/* Marks the thread where it is not.  Return: is there nothing more to do? */
static bool observer_settle(struct task_struct *task)
{
	struct thread *t;
	bool done;

	rcu_read_lock();
	t = thread_find(task);
	done = !t || !READ_ONCE(t->recorder) || (READ_ONCE(t->observed) && observer_marked(t));
	if (!done) {
		WRITE_ONCE(t->observed, true);
		observer_mark_state(t);
	}
	rcu_read_unlock();
	return done;
}

void observer_mark_sync(struct task_struct *task)
{
	/* A mark that outlives all hooks that ran when it was set stays. */
	while (!observer_settle(task))
		synchronize_rcu();
}

void observer_unmark(struct thread *t)
{
	WRITE_ONCE(t->observed, false);
	WRITE_ONCE(t->record.state, record_present(&t->record));
	/*
	 * Whoever arms it now may have seen the marks: then the recorder is seen
	 * here.  Pairs with armed_attach().
	 */
	smp_mb();
	if (unlikely(READ_ONCE(t->recorder)))
		observer_mark(t);
}
