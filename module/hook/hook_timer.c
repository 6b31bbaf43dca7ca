// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probes of timers: they find the expiry of the timer that wakes a thread.
 *
 * A timer has woken a thread if the wake-up comes in the callback of an hrtimer: of timerfd, of a
 * POSIX timer, of the tick.  The probes miss such a timer if another CPU finishes the wake-up.
 * They never miss the timer of one waiting thread (sleeps; time-outs of poll, select, epoll and
 * futexes), because it names the thread.
 */
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <trace/events/timer.h>
#include "compat/clock.h"
#include "compat/compat.h"
#include "engine/record_sched.h"
#include "hook/hook.h"
#include "hook/hook_steal.h"
#include "hook/hook_timer.h"
#include "hook/probes.h"

/* A timer whose callback runs.  No callback of the same kind interrupts it. */
struct timer_present {
	const struct task_struct *context;	/* NULL: there is none */
	u64 expiry;
};

struct timers_present {
	struct timer_present soft, hard;
};

static DEFINE_PER_CPU(struct timers_present, timers_present);

static void *sleeper_function;

/* Forgets callbacks whose end was not seen. */
void hook_timer_prepare(void)
{
	int cpu;

	sleeper_function = compat_sleeper_function();
	for_each_possible_cpu(cpu) {
		*per_cpu_ptr(&timers_present, cpu) = (struct timers_present){ 0 };
		per_cpu_ptr(&hook_counts, cpu)->timers_running = 0;
	}
}

/*
 * With PREEMPT_RT, soft timers run in a thread.  It stays on its CPU, but other tasks may preempt
 * it, and wake tasks as well: only context tells them apart.
 */
static struct timer_present *hook_timer_present(void)
{
	struct timers_present *timers = raw_cpu_ptr(&timers_present);

	return hardirq_count() ? &timers->hard : &timers->soft;
}

static void hook_timer_mark_sleeper(const struct hrtimer *timer, u64 expiry)
{
	const struct hrtimer_sleeper *sleeper;
	struct task_struct *task;
	struct thread *t;

	if (compat_hrtimer_function(timer) != sleeper_function)
		return;
	sleeper = container_of(timer, struct hrtimer_sleeper, timer);
	/* The task is not freed: before it continues, it cancels its timer. */
	task = READ_ONCE(sleeper->task);
	if (!task)
		return;
	t = thread_find(task);
	if (likely(t))
		record_expire(&t->record, expiry, clock_now());
	else
		hook_miss(HOOK_HRTIMER_EXPIRE);
}

/*
 * The expiry in CLOCK_MONOTONIC, with the timer's slack, which is 0 for real-time threads.  It is
 * at least 1: once CLOCK_REALTIME was set forward, an expiry may be before the start of the system.
 */
static u64 hook_timer_expiry(const struct hrtimer *timer)
{
	const ktime_t offset = READ_ONCE(timer->base->offset);

	return max_t(s64, ktime_to_ns(ktime_sub(hrtimer_get_expires(timer), offset)), 1);
}

static void hook_timer_begin(void *data, struct hrtimer *timer, COMPAT_HRTIMER_NOW now)
{
	struct timer_present *present;

	preempt_disable_notrace();
	hook_hit(HOOK_HRTIMER_EXPIRE);
	present = hook_timer_present();
	present->expiry = hook_timer_expiry(timer);
	if (!present->context)
		this_cpu_inc(hook_counts.timers_running);
	present->context = current;
	hook_timer_mark_sleeper(timer, present->expiry);
	preempt_enable_notrace();
}

static void hook_timer_end(void *data, struct hrtimer *timer)
{
	struct timer_present *present = hook_timer_present();

	/* The start may have been before the probes were attached. */
	if (!present->context)
		return;
	present->context = NULL;
	this_cpu_dec(hook_counts.timers_running);
	/* The tick is an hrtimer in a hard interrupt. */
	if (hardirq_count())
		hook_steal_look();
}

struct tracepoint_pairs hook_timer = {
	.names = { "hrtimer_expire" },
	.on_entry = hook_timer_begin,
	.on_exit = hook_timer_end,
};

void hook_timer_wake(struct thread *t)
{
	const struct timer_present *present = hook_timer_present();

	if (present->context == current)
		record_expire(&t->record, present->expiry, clock_now());
}

static void __maybe_unused check_types(void)
{
	check_trace_callback_type_hrtimer_expire_entry(hook_timer_begin);
	check_trace_callback_type_hrtimer_expire_exit(hook_timer_end);
}
