// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes of the scheduler's tracepoints.  They run under a runqueue lock (for the exception
 * see hook_sched_wake_other()), with interrupts off, a hundred thousand times a second.  They must
 * not take a lock, allocate memory, wake a task or print.
 */
#include <linux/cpuhotplug.h>
#include <linux/mm_types.h>
#include <trace/events/sched.h>
#include "compat/clock.h"
#include "engine/record_sched.h"
#include "hook/hook.h"
#include "hook/hook_cycles.h"
#include "hook/hook_fault_count.h"
#include "hook/hook_steal.h"
#include "hook/hook_throttle.h"
#include "hook/hook_timer.h"
#include "hook/probes.h"
#include "observe/dispatch.h"
#include "observe/occupants.h"
#include "observe/wchan.h"
#include "task/thread.h"
#include "task/wait.h"
#include "track/exit.h"

/*
 * True if the task stays runnable.  If a pending signal has kept it from sleeping, prev_state of
 * 6.1 and 6.12 says all the same that it sleeps.
 */
static __always_inline bool hook_sched_runnable(const struct task_struct *prev, bool preempt,
						unsigned int prev_state)
{
	return preempt || !prev_state || !compat_task_state(prev);
}

/* The state of a runnable task that leaves the CPU, and is not throttled. */
static __always_inline u8 hook_sched_queued(struct task_struct *prev, bool preempt)
{
	return !preempt && wait_yields(prev) ? TASKRT_STATE_YIELDED : TASKRT_STATE_PREEMPTED;
}

static u8 hook_sched_queued_or_throttled(struct thread *t, struct task_struct *prev, bool preempt,
					 const struct task_struct *next)
{
	u8 state;

	if (hook_throttle_out(t, prev, next))
		return TASKRT_STATE_THROTTLED;
	state = hook_sched_queued(prev, preempt);
	return state == TASKRT_STATE_YIELDED && hook_throttle_yielded(prev) ?
	       TASKRT_STATE_SLEEPING_TIMER : state;
}

static u8 hook_sched_state_after(struct thread *t, struct task_struct *prev, bool preempt,
				 unsigned int prev_state, const struct task_struct *next)
{
	if (hook_sched_runnable(prev, preempt, prev_state)) {
		hook_fault_recheck(t, false);
		return hook_sched_queued_or_throttled(t, prev, preempt, next);
	}
	hook_fault_recheck(t, true);
	return record_wait_state(&t->record, wait_state(prev, prev_state));
}

static noinline void hook_sched_watch(struct thread *out)
{
	hook_cycles_switch(out);
	if (out && occupants_awaited())
		occupants_add(out);
}

/* True if a switch must do more than move two records. */
static __always_inline bool hook_sched_watched(void)
{
	return static_branch_unlikely(&switch_watched) &&
	       (hook_cycles_on() || occupants_awaited());
}

/* The part of a switch that does not depend on the task that leaves. */
static __always_inline void hook_sched_switch_begin(struct thread *out, struct thread *in,
						    const struct task_struct *next)
{
	if (unlikely(hook_throttle_lasts())) {
		hook_throttle_end(next);
		if (in && throttle_any())
			hook_throttle_group_ran(in, next);
	}
	if (static_branch_unlikely(&switch_watched))
		hook_sched_watch(out);
	/* NULL: the idle task or an untracked task leaves. */
	if (!out)
		hook_steal_skip();
}

/* @out, @in: NULL if the task has no record.  @state: the state that @out enters. */
static __always_inline void hook_sched_move(struct thread *out, u8 state, struct thread *in)
{
	const unsigned long left = out ? shared_load(&out->record.state) : 0;
	const unsigned long from = in ? shared_load(&in->record.state) : 0;
	u64 now;

	if (unlikely(!record_plain(left) || !record_plain(from))) {
		dispatch_switch(out, state, in);
		return;
	}
	if (out)
		record_sched_begin(&out->record);
	if (in)
		record_sched_begin(&in->record);
	now = clock_now_early();
	if (in) {
		record_move(&in->record, from, TASKRT_STATE_RUNNING, now);
		record_sched_end(&in->record);
	}
	if (out) {
		record_move(&out->record, left, state, now);
		record_sched_end(&out->record);
	}
}

/* The idle task leaves the CPU.  @in: NULL for a task without a record. */
static noinline void hook_sched_switch_from_idle(struct thread *in, const struct task_struct *next)
{
	hook_sched_switch_begin(NULL, in, next);
	if (likely(in))
		hook_sched_move(NULL, 0, in);
	else
		hook_miss(HOOK_SCHED_SWITCH);
}

/*
 * @out: the thread that was switched in last, or thread_nobody; usually the thread of @prev
 * @in: NULL for the idle task, and for a task without a record
 */
static noinline void hook_sched_switch_any(struct thread *out, bool preempt,
					   struct task_struct *prev, struct task_struct *next,
					   unsigned int prev_state, struct thread *in)
{
	u8 state = 0;

	if (out->task != prev) {
		if (likely(!task_pid_nr(prev))) {
			hook_sched_switch_from_idle(in, next);
			return;
		}
		out = thread_find(prev);
	}
	hook_sched_switch_begin(out, in, next);
	if (!in && task_pid_nr(next))
		hook_miss(HOOK_SCHED_SWITCH);
	if (out)
		state = hook_sched_state_after(out, prev, preempt, prev_state, next);
	hook_sched_move(out, state, in);
	if (unlikely(state == TASKRT_STATE_EXITED))
		exit_closed(out);
}

/* The state of a thread after a plain switch, or 0 if that needs hook_sched_switch_any(). */
static __always_inline u8 hook_sched_plain_after(struct thread *t, struct task_struct *prev,
						 bool preempt, unsigned int prev_state)
{
	if (unlikely(hook_fault_may_be_stale(t)))
		return 0;
	if (hook_sched_runnable(prev, preempt, prev_state))
		return likely(!hook_throttle_may_out_alone(prev)) ?
		       hook_sched_queued(prev, preempt) : 0;
	if (likely(!(prev_state & (WAIT_RARE | TASK_UNINTERRUPTIBLE))))
		return record_wait_state(&t->record, wait_sleep(prev));
	if (unlikely(prev_state & WAIT_RARE))
		return 0;
	return record_wait_state(&t->record, wait_block(prev, prev_state));
}

/* The rest of a plain switch if clock_read_early() fails, as always on x86 without the TSC. */
static noinline void hook_sched_switch_asked(struct thread *out, unsigned long left, u8 state,
					     struct thread *in, unsigned long from)
{
	const u64 now = ktime_get_mono_fast_ns();

	record_move(&in->record, from, TASKRT_STATE_RUNNING, now);
	record_move(&out->record, left, state, now);
	record_sched_end(&in->record);
	record_sched_end(&out->record);
}

/*
 * Most switches: from one thread to another, with nothing special about either.  This probe calls
 * no function except in a tail call, so it has no register to save.
 */
#ifdef TASKRT_HAVE_SCHED_SWITCH_PREV_STATE
static void hook_sched_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
#else
static void hook_sched_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next)
#endif
{
	struct thread *out = __this_cpu_read(thread_on_cpu);
	struct thread *in = thread_find(next);
	const unsigned int task_state = COMPAT_PREV_STATE;
	unsigned long from, left;
	u8 state;
	u64 now;

	hook_hit(HOOK_SCHED_SWITCH);
	/* In parentheses, because the macros of older kernels lack them. */
	__this_cpu_write(thread_on_cpu, (in ? in : &thread_nobody));
	if (unlikely(out->task != prev) || unlikely(!in) ||
	    unlikely(hook_throttle_lasts()) || unlikely(hook_sched_watched()))
		goto any;
	state = hook_sched_plain_after(out, prev, preempt, task_state);
	if (unlikely(!state))
		goto any;
	left = shared_load(&out->record.state);
	from = shared_load(&in->record.state);
	if (unlikely(!record_plain(left) || !record_plain(from)))
		goto dispatched;
	record_sched_begin(&out->record);
	record_sched_begin(&in->record);
	if (unlikely(!clock_read_early(&now))) {
		hook_sched_switch_asked(out, left, state, in, from);
		return;
	}
	record_move(&in->record, from, TASKRT_STATE_RUNNING, now);
	record_move(&out->record, left, state, now);
	record_sched_end(&in->record);
	record_sched_end(&out->record);
	return;
dispatched:
	dispatch_switch(out, state, in);
	return;
any:
	hook_sched_switch_any(out, preempt, prev, next, task_state, in);
}

/* True if a thread that has had no event yet is running or queued. */
static bool hook_sched_runs_unseen(const struct thread *t)
{
	return compat_task_on_cpu(t->task) ||
	       (READ_ONCE(t->initial_state) == INITIAL_STATE_KNOWN &&
		!record_plain_wait(record_state(&t->record)));
}

/*
 * The slow path: the thread is observed, has had no event yet, may be woken by a timer, or does
 * not wait.  A wake-up of a task that runs or is queued changes nothing.
 *
 * If a task is woken on its own CPU while it is about to sleep, it continues to run.  Only this
 * wake-up is reported without the runqueue lock, so the record must not be written.
 */
static noinline void hook_sched_wake_other(struct thread *t)
{
	const u8 state = record_present(&t->record);

	if (unlikely(!record_plain_wait(state)) &&
	    (!record_waits(&t->record) || (state == STATE_UNSEEN && hook_sched_runs_unseen(t)))) {
		dispatch_wake_nothing(t);
		return;
	}
	if (unlikely(hook_timer_runs()))
		hook_timer_wake(t);
	dispatch_wake(t, hook_throttle_may_wake(t->task) ? hook_throttle_woken(t) :
							   TASKRT_STATE_WOKEN);
}

/* A plain wake-up of a thread that may be throttled. */
static noinline void hook_sched_wake_throttle(struct thread *t, unsigned long state)
{
	const u8 to = hook_throttle_woken(t);

	record_sched_begin(&t->record);
	wchan_note(t, record_wake(&t->record, state, to, clock_now()));
	record_sched_end(&t->record);
}

/* Like hook_sched_switch_asked(), for a wake-up. */
static noinline void hook_sched_wake_asked(struct thread *t, unsigned long state)
{
	wchan_note(t, record_move(&t->record, state, TASKRT_STATE_WOKEN, ktime_get_mono_fast_ns()));
	record_sched_end(&t->record);
}

/* The rest of a plain wake-up that has ended the longest wait so far. */
static noinline void hook_sched_wake_note(struct thread *t, unsigned long state)
{
	wchan_note_longest(t, state);
	record_sched_end(&t->record);
}

/* Like hook_sched_switch(), this calls no function except in a tail call. */
static __always_inline void hook_sched_wake(struct task_struct *task, enum hook_id id)
{
	struct thread *t = thread_find(task);
	struct record_interval left;
	unsigned long state;
	u64 now;

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
		hook_sched_wake_throttle(t, state);
		return;
	}
	record_sched_begin(&t->record);
	if (unlikely(!clock_read_early(&now))) {
		hook_sched_wake_asked(t, state);
		return;
	}
	left = record_move(&t->record, state, TASKRT_STATE_WOKEN, now);
	if (unlikely(wchan_may_change(left))) {
		hook_sched_wake_note(t, state);
		return;
	}
	record_sched_end(&t->record);
}

static void hook_sched_wakeup(void *data, struct task_struct *task)
{
	hook_sched_wake(task, HOOK_SCHED_WAKEUP);
}

static void hook_sched_start(struct thread *t)
{
	const u8 to = hook_throttle_may_wake(t->task) ? hook_throttle_woken(t) :
							TASKRT_STATE_WOKEN;

	record_sched_begin(&t->record);
	record_start(&t->record, to, clock_now_early());
	record_sched_end(&t->record);
}

/* Only a record that the fork hook has made starts here. */
static void hook_sched_wakeup_new(void *data, struct task_struct *task)
{
	struct thread *t = thread_find(task);

	if (unlikely(!t || t->initial_state != INITIAL_STATE_NEW)) {
		hook_sched_wake(task, HOOK_SCHED_WAKEUP_NEW);
		return;
	}
	hook_hit(HOOK_SCHED_WAKEUP_NEW);
	hook_sched_start(t);
}

/* True if the thread, which may be NULL, may have an observer. */
static __always_inline bool hook_sched_observed(const struct thread *t)
{
	return t && unlikely(shared_load(&t->record.state) & STATE_OBSERVED);
}

/* A wake-up starts, on the waker's CPU.  Its sched_wakeup may come on the thread's CPU. */
static void hook_sched_waking(void *data, struct task_struct *task)
{
	struct thread *t = thread_find(task);

	hook_hit(HOOK_SCHED_WAKING);
	/* If the current task is woken before it sleeps, the kernel takes no lock: note nothing. */
	if (hook_sched_observed(t) && task != current)
		dispatch_waking(t);
}

/* Context: the lock of the runqueue that a queued task leaves, or the pi_lock of a woken task. */
static void hook_sched_migrate(void *data, struct task_struct *task, int cpu)
{
	struct thread *t;

	if (likely(!throttle_any()) && !static_branch_unlikely(&switch_watched))
		return;
	t = thread_find(task);
	hook_hit(HOOK_SCHED_MIGRATE_TASK);
	if (throttle_any() && t)
		hook_throttle_group_move(t, task, cpu);
	if (hook_sched_observed(t))
		dispatch_migrate(t, cpu);
}

/*
 * A tracepoint calls no probe on an offline CPU.  So no probe sees the last switch of a CPU, in
 * which its stopper thread parks.  The CPU is dead, so no hook writes to the record.
 */
static int hook_sched_dead(unsigned int cpu)
{
	struct thread *out;
	unsigned long flags;

	local_irq_save(flags);
	hook_hit(HOOK_CPU_OFFLINE);
	out = per_cpu(thread_on_cpu, cpu);
	if (out->task && record_state(&out->record) == TASKRT_STATE_RUNNING)
		hook_sched_move(out, TASKRT_STATE_SLEEPING, NULL);
	per_cpu(thread_on_cpu, cpu) = &thread_nobody;
	local_irq_restore(flags);
	return 0;
}

void hook_sched_prepare(void)
{
	hook_throttle_prepare();
	hook_steal_prepare();
}

const hook_offline_fn hook_offline_cpu = hook_sched_dead;
void * const hook_probe_switch = hook_sched_switch;
void * const hook_probe_wakeup = hook_sched_wakeup;
void * const hook_probe_wakeup_new = hook_sched_wakeup_new;
void * const hook_probe_waking = hook_sched_waking;
void * const hook_probe_migrate = hook_sched_migrate;

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_sched_switch(hook_sched_switch);
	check_trace_callback_type_sched_wakeup(hook_sched_wakeup);
	check_trace_callback_type_sched_wakeup_new(hook_sched_wakeup_new);
	check_trace_callback_type_sched_waking(hook_sched_waking);
	check_trace_callback_type_sched_migrate_task(hook_sched_migrate);
}
