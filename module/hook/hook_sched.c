// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes of the scheduler's tracepoints.  They run under a runqueue lock (for the
 * exception see hook_sched_wake_other()), with interrupts off, a hundred thousand times a second.
 * They must not take a lock, allocate memory, wake a task or print.
 */
#include <linux/mm_types.h>
#include <trace/events/sched.h>
#include "compat/clock.h"
#include "hook/hook.h"
#include "hook/hook_cycles.h"
#include "hook/hook_fault_count.h"
#include "hook/hook_steal.h"
#include "hook/hook_throttle.h"
#include "hook/hook_timer.h"
#include "hook/probes.h"
#include "observe/dispatch.h"
#include "observe/site.h"
#include "task/thread.h"
#include "task/wait.h"
#include "track/exit.h"

static __always_inline u8 hook_sched_state_after(struct thread *t, struct task_struct *prev,
						 bool preempt, unsigned int prev_state,
						 const struct task_struct *next)
{
	/*
	 * A task that was about to sleep with a signal pending stays runnable,
	 * although prev_state may say otherwise (6.1 and 6.12 do).
	 */
	if (preempt || !prev_state || !compat_task_state(prev)) {
		hook_fault_recheck(t, false);
		return hook_throttle_out(prev, next) ? TASKRT_STATE_THROTTLED :
						       TASKRT_STATE_PREEMPTED;
	}
	hook_fault_recheck(t, true);
	return record_wait_state(&t->record, wait_state(prev, prev_state));
}

static void hook_sched_switch(COMPAT_SWITCH_ARGS)
{
	struct thread *out = thread_of_cpu(prev);
	struct thread *in = thread_find(next);
	/* Where there is no thread, nothing that needs a dispatch: 0 is a plain state. */
	unsigned long from = 0, left = 0;
	u8 state = 0;
	u64 now;

	hook_hit(HOOK_SCHED_SWITCH);
	__this_cpu_write(thread_on_cpu, in);
	hook_throttle_in(next);
	hook_cycles_switch(out);

	if (likely(out)) {
		state = hook_sched_state_after(out, prev, preempt, COMPAT_PREV_STATE, next);
		record_sched_begin(&out->record);
		left = shared_load(&out->record.state);
	} else {
		/* It was the idle task; or one without a record, about which nobody is told. */
		hook_steal_skip();
	}
	if (likely(in)) {
		record_sched_begin(&in->record);
		from = shared_load(&in->record.state);
	} else if (!is_idle_task(next)) {
		hook_miss(HOOK_SCHED_SWITCH);
	}

	if (likely(record_plain(left) && record_plain(from))) {
		now = clock_now();
		if (likely(in))
			record_switch_in(&in->record, from, now);
		if (likely(out))
			record_switch_out(&out->record, left, state, now);
	} else {
		dispatch_switch(out, state, in);
	}
	if (likely(in))
		record_sched_end(&in->record);
	if (likely(out))
		record_sched_end(&out->record);
	if (unlikely(state == TASKRT_STATE_EXITED))
		exit_closed(out);
}

/* Does a thread that has had no event yet run, or is it queued? */
static bool hook_sched_runs_unseen(const struct thread *t)
{
	return compat_task_on_cpu(t->task) ||
	       (READ_ONCE(t->unsettled) == THREAD_SETTLED &&
		!record_plain_wait(record_state(&t->record)));
}

/*
 * The slow path, for a thread that is observed, has had no event yet, may be woken by a timer,
 * or does not wait: a wake-up of a task that runs or is queued changes nothing.
 *
 * A task that is woken on its own CPU while it is about to sleep continues to run.
 * This is the only wake-up that is reported without the runqueue lock: nothing may be
 * written then.
 */
static noinline void hook_sched_wake_other(struct thread *t)
{
	const u8 state = record_present(&t->record);

	if (unlikely(!record_plain_wait(state)) &&
	    (!record_waits(&t->record) || (state == STATE_UNSEEN && hook_sched_runs_unseen(t))))
		return;
	if (unlikely(hook_timer_runs()))
		hook_timer_wake(t);
	dispatch_wake(t, hook_throttle_may_wake(t->task) ? hook_throttle_woken(t->task) :
							   TASKRT_STATE_WOKEN);
}

/* A plain wake-up of a thread that may be throttled.  @state: that of the record. */
static noinline void hook_sched_wake_late(struct thread *t, u8 state)
{
	const u8 to = hook_throttle_woken(t->task);

	record_sched_begin(&t->record);
	site_note(t, record_wake(&t->record, state, to, clock_now()));
	record_sched_end(&t->record);
}

static __always_inline void hook_sched_wake(struct task_struct *task, enum hook_id id)
{
	struct thread *t = thread_find(task);
	u8 state;

	hook_hit(id);
	if (unlikely(!t)) {
		hook_miss(id);
		return;
	}
	state = shared_load(&t->record.state);
	if (unlikely(!record_plain_wait(state)) || unlikely(hook_timer_may_wake(t))) {
		hook_sched_wake_other(t);
		return;
	}
	if (unlikely(hook_throttle_may_wake(task))) {
		hook_sched_wake_late(t, state);
		return;
	}
	record_sched_begin(&t->record);
	site_note(t, record_wake(&t->record, state, TASKRT_STATE_WOKEN, clock_now()));
	record_sched_end(&t->record);
}

static void hook_sched_wakeup(void *data, struct task_struct *task)
{
	hook_sched_wake(task, HOOK_SCHED_WAKEUP);
}

static void hook_sched_wakeup_new(void *data, struct task_struct *task)
{
	hook_sched_wake(task, HOOK_SCHED_WAKEUP_NEW);
}

void hook_sched_prepare(void)
{
	hook_throttle_prepare();
	hook_steal_prepare();
}

void * const hook_probe_switch = hook_sched_switch;
void * const hook_probe_wakeup = hook_sched_wakeup;
void * const hook_probe_wakeup_new = hook_sched_wakeup_new;

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_sched_switch(hook_sched_switch);
	check_trace_callback_type_sched_wakeup(hook_sched_wakeup);
	check_trace_callback_type_sched_wakeup_new(hook_sched_wakeup_new);
}
