// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/taskrt.h>
#include <linux/workqueue.h>
#include "accounting.h"
#include "compat/clock.h"
#include "compat/compat.h"
#include "engine/record.h"
#include "hook/hook_cycles.h"
#include "hook/hook_live.h"
#include "hook/hook_steal.h"
#include "hook/hook_throttle.h"
#include "hook/hooks.h"
#include "hook/probes.h"
#include "observe/armed.h"
#include "observe/mapping.h"
#include "observe/occupants.h"
#include "task/counters.h"
#include "track/track.h"

/* The outermost lock.  It is held for writing while accounting is switched on or off. */
static DECLARE_RWSEM(accounting_rwsem);
static bool on;
static u64 valid;
/* What is measured: [0] until the kernel reports stolen time, and [1] after that. */
static struct taskrt_measured measured[2];
/* A leaf.  It is raw, so that on PREEMPT_RT a preempted holder cannot block the worker. */
static DEFINE_RAW_SPINLOCK(measured_lock);
static u64 since;
static bool dumpable_noted;	/* stays set once a listener has needed it */
static const char *left_out;	/* the value of the parameter 'without' */

/* The hooks of armed threads stay attached until a moment after the last one is disarmed. */
#define ARMED_IDLE	(5 * HZ)
static void accounting_armed_idle(struct work_struct *work);
static DECLARE_DELAYED_WORK(armed_idle, accounting_armed_idle);
static DEFINE_MUTEX(armed_mutex);
static bool armed_hooked;

#define VALID_ALWAYS	(TASKRT_VALID_CLOCK | TASKRT_VALID_IDENTITY | TASKRT_VALID_THREADS | \
			 TASKRT_VALID_CPU)

#define VALUES_TIMED	(BIT_ULL(TASKRT_VALUE_MINOR_FAULT_NS) | \
			 BIT_ULL(TASKRT_VALUE_MAJOR_FAULT_NS))

/* If one of these is not seen, the measured time is only a part of all lock waits. */
#define LOCKS_NEEDED	(BIT(TASKRT_LOCK_MUTEX) | BIT(TASKRT_LOCK_RWSEM_READ) | \
			 BIT(TASKRT_LOCK_RWSEM_WRITE))

static bool accounting_sees_states(void)
{
	return hook_attached(HOOK_SCHED_SWITCH) && hook_attached(HOOK_SCHED_WAKEUP) &&
	       hook_attached(HOOK_SCHED_WAKEUP_NEW);
}

/*
 * Without one of the scheduler's hooks, no state is measured.  Otherwise all states that a thread
 * can enter are measured, so that they sum to its time.
 */
static u32 accounting_measured_states(void)
{
	u32 mask = MEASURED_STATES;

	if (!accounting_sees_states())
		return 0;
	if (!hook_attached(HOOK_HANDLE_MM_FAULT))
		mask &= ~BIT(TASKRT_STATE_BLOCKED_FAULT);
	/* PREEMPT_RT's sleeping spinlocks are seen without a hook. */
	if (!hook_sees_any_lock() && !(IS_ENABLED(CONFIG_PREEMPT_RT) && TASK_RTLOCK_WAIT != 0))
		mask &= ~BIT(TASKRT_STATE_BLOCKED_LOCK);
	if (!hook_throttle_seen())
		mask &= ~BIT(TASKRT_STATE_THROTTLED);
	return mask;
}

/* The time of softirqs excludes hard interrupts, so it is measured only together with them. */
static u32 accounting_unmeasured_interrupts(void)
{
	if (!hook_attached(HOOK_IRQ_HANDLER) || !hook_attached(HOOK_IRQ_VECTORS))
		return BIT(TASKRT_TIMER_HARDIRQ) | BIT(TASKRT_TIMER_SOFTIRQ);
#ifndef CONFIG_PREEMPT_RT
	if (hook_attached(HOOK_SOFTIRQ))
		return 0;
#endif
	return BIT(TASKRT_TIMER_SOFTIRQ);
}

static bool accounting_sees_steal(void)
{
	return hook_attached(HOOK_SCHED_SWITCH) && hook_attached(HOOK_HRTIMER_EXPIRE) &&
	       hook_steal_possible();
}

static bool accounting_sees_reclaim(void)
{
#ifdef CONFIG_COMPACTION
	if (!hook_attached(HOOK_COMPACTION))
		return false;
#endif
	return hook_attached(HOOK_RECLAIM);
}

static bool accounting_sees_cycles(void)
{
#ifdef CONFIG_PERF_EVENTS
	return hook_attached(HOOK_CYCLES);
#else
	return false;
#endif
}

/*
 * Whether the kernel calls this hook may change later (hook_live.h).  The state of page faults then
 * stays measured, because the time that threads have spent in it is a part of their total.
 */
static bool accounting_sees_faults(void)
{
	return hooks_see(HOOK_HANDLE_MM_FAULT);
}

/* Everything is measured but what needs a hook that is not attached, or not called. */
static void accounting_find_measured(struct taskrt_measured *found)
{
	struct taskrt_measured m = {
		.states = accounting_measured_states(),
		.timers = MEASURED_TIMERS,
		.locks = hook_locks_seen(),
		.values = MEASURED_VALUES,
	};

	if (!m.states)
		m.values &= ~BIT_ULL(TASKRT_VALUE_WAKEUPS);
	if (!accounting_sees_faults()) {
		m.timers &= ~(BIT(TASKRT_TIMER_FAULT) | BIT(TASKRT_TIMER_FAULT_CPU));
		m.values &= ~VALUES_TIMED;
	}
	if (!hook_attached(HOOK_SCHED_SWITCH))
		m.timers &= ~BIT(TASKRT_TIMER_FAULT_CPU);
	if ((m.locks & LOCKS_NEEDED) != LOCKS_NEEDED) {
		m.timers &= ~BIT(TASKRT_TIMER_LOCK);
		m.locks = 0;
	}
	if (!m.states || !hook_attached(HOOK_HRTIMER_EXPIRE))
		m.timers &= ~BIT(TASKRT_TIMER_EXPIRY);
	if (!accounting_sees_reclaim())
		m.timers &= ~BIT(TASKRT_TIMER_RECLAIM_CPU);
	m.timers &= ~accounting_unmeasured_interrupts();
	m.timers &= ~BIT(TASKRT_TIMER_STEAL);
	if (!accounting_sees_cycles())
		m.values &= ~VALUES_OF_CYCLES;
	*found = m;
}

static u64 accounting_valid_of(const struct taskrt_measured *m)
{
	u64 mask = VALID_ALWAYS;

	if (IS_ENABLED(CONFIG_CGROUPS))
		mask |= TASKRT_VALID_CGROUP;
	if (hook_attached(HOOK_SCHED_SWITCH))
		mask |= TASKRT_VALID_CPU_TIME;
	if (m->states)
		mask |= TASKRT_VALID_QUEUE_TIME | TASKRT_VALID_STATE;
	if (m->timers & BIT(TASKRT_TIMER_FAULT))
		mask |= TASKRT_VALID_PAGE_FAULT_TIME;
	if (m->timers & BIT(TASKRT_TIMER_LOCK))
		mask |= TASKRT_VALID_LOCK_TIME;
	return mask;
}

static void accounting_set_timers(u32 timers)
{
	lockdep_assert_held(&measured_lock);
	WRITE_ONCE(measured[0].timers, timers);
	WRITE_ONCE(measured[1].timers, timers |
		   (accounting_sees_steal() ? BIT(TASKRT_TIMER_STEAL) : 0));
}

static void accounting_set_values(u64 values)
{
	lockdep_assert_held(&measured_lock);
	WRITE_ONCE(measured[0].values, values);
	WRITE_ONCE(measured[1].values, values);
}

static void accounting_set_fixed(const struct taskrt_measured *found)
{
	int i;

	lockdep_assert_held(&measured_lock);
	for (i = 0; i < ARRAY_SIZE(measured); i++) {
		WRITE_ONCE(measured[i].states, found->states);
		WRITE_ONCE(measured[i].locks, found->locks);
	}
	WRITE_ONCE(valid, accounting_valid_of(found));
}

static void accounting_find(void)
{
	struct taskrt_measured found;

	raw_spin_lock(&measured_lock);
	accounting_find_measured(&found);
	accounting_set_fixed(&found);
	accounting_set_timers(found.timers);
	accounting_set_values(found.values);
	raw_spin_unlock(&measured_lock);
}

void accounting_follow(void)
{
	if (unlikely(hook_live_look()))
		accounting_find();
}

static void accounting_attach(enum hook_option option, const char *without)
{
	lockdep_assert_held_write(&accounting_rwsem);
	hooks_attach_option(option, without);
	accounting_find();
}

/* Stops reporting values before it detaches their hooks. */
static void accounting_detach(enum hook_option option)
{
	lockdep_assert_held_write(&accounting_rwsem);
	raw_spin_lock(&measured_lock);
	if (option == HOOKS_OF_INTERRUPTS)
		accounting_set_timers(measured[0].timers & ~(BIT(TASKRT_TIMER_HARDIRQ) |
							     BIT(TASKRT_TIMER_SOFTIRQ)));
	if (option == HOOKS_OF_CYCLES)
		accounting_set_values(measured[0].values & ~VALUES_OF_CYCLES);
	raw_spin_unlock(&measured_lock);
	hooks_detach_option(option);
	accounting_find();
}

/* Runs before the first record is made: an earlier listener may still need dumpable_noted. */
static int accounting_ready(void)
{
	accounting_find();
	if (!READ_ONCE(dumpable_noted) || !hook_attached(HOOK_EXIT_SIGNALS))
		return 0;
	return hooks_enable(HOOK_EXIT_SIGNALS);
}

void accounting_armed(void)
{
	lockdep_assert_held(&accounting_rwsem);
	mutex_lock(&armed_mutex);
	if (!armed_hooked) {
		hooks_attach_option(HOOKS_OF_ARMED, left_out);
		static_branch_inc(&switch_watched);
		schedule_delayed_work(&armed_idle, ARMED_IDLE);
	}
	armed_hooked = true;
	mutex_unlock(&armed_mutex);
}

static void accounting_detach_armed(void)
{
	if (!armed_hooked)
		return;
	static_branch_dec(&switch_watched);
	hooks_detach_option(HOOKS_OF_ARMED);
	armed_hooked = false;
}

/* Only tries accounting_rwsem: accounting_stop() holds it while it waits for this work. */
static void accounting_armed_idle(struct work_struct *work)
{
	struct armed_counts counts;

	if (!accounting_tryget()) {
		schedule_delayed_work(&armed_idle, ARMED_IDLE);
		return;
	}
	mutex_lock(&armed_mutex);
	armed_counts(&counts);
	if (counts.armed)
		schedule_delayed_work(&armed_idle, ARMED_IDLE);
	else
		accounting_detach_armed();
	mutex_unlock(&armed_mutex);
	accounting_put();
}

/* Undoes what accounting_on() has done so far. */
static void accounting_stop(void)
{
	lockdep_assert_held_write(&accounting_rwsem);
	cancel_delayed_work_sync(&armed_idle);
	accounting_detach_armed();
	mapping_stop();
	hooks_detach();
	/* Keep the free hook during track_drain(), which has to know which tasks are freed. */
	track_drain();
	hooks_detach_free();
	track_stop();
	clock_stop();
}

int accounting_on(u64 max_threads, const char *without, unsigned int options)
{
	int err = 0;

	down_write(&accounting_rwsem);
	if (on)
		goto out;
	left_out = without;
	clock_start();
	since = clock_now();
	err = hooks_attach(max_threads, without, accounting_ready);
	if (err) {
		accounting_stop();
		goto out;
	}
	if (options & BIT(HOOKS_OF_INTERRUPTS))
		accounting_attach(HOOKS_OF_INTERRUPTS, without);
	if (options & BIT(HOOKS_OF_CYCLES))
		accounting_attach(HOOKS_OF_CYCLES, without);
	track_start();
	/* Tasks that were reaped before the walk are no misses: count anew when they are freed. */
	rcu_barrier();
	hooks_count_anew();
	on = true;
out:
	up_write(&accounting_rwsem);
	return err;
}

void accounting_off(void)
{
	down_write(&accounting_rwsem);
	if (on)
		accounting_stop();
	on = false;
	up_write(&accounting_rwsem);
}

void accounting_option(enum hook_option option, bool want, const char *without)
{
	down_write(&accounting_rwsem);
	if (on && want)
		accounting_attach(option, without);
	else if (on)
		accounting_detach(option);
	up_write(&accounting_rwsem);
}

void accounting_renew(const struct task_struct *task)
{
	if (task->signal == current->signal)
		hook_cycles_renew();
}

bool accounting_get(void)
{
	down_read(&accounting_rwsem);
	if (on) {
		accounting_follow();
		return true;
	}
	up_read(&accounting_rwsem);
	return false;
}

bool accounting_tryget(void)
{
	return down_read_trylock(&accounting_rwsem);
}

bool accounting_is_on(void)
{
	return on;
}

void accounting_put(void)
{
	up_read(&accounting_rwsem);
}

u64 accounting_valid(void)
{
	return READ_ONCE(valid);
}

const struct taskrt_measured *accounting_measured(void)
{
	return &measured[READ_ONCE(hook_steal_seen)];
}

void accounting_measured_page(struct taskrt_measured *m)
{
	accounting_follow();
	*m = *accounting_measured();
	m->values &= ~(VALUES_OF_TIME | VALUES_OF_CYCLES);
	if (!hook_attached(HOOK_HANDLE_MM_FAULT))
		m->values &= ~VALUES_OF_FAULT;
	if (!hook_attached(HOOK_SCHED_SWITCH))
		m->values &= ~VALUES_OF_SWITCH;
}

u64 accounting_since(void)
{
	return since;
}

bool accounting_hook(unsigned int nr, struct hook_report *report)
{
	if (nr >= NR_HOOKS)
		return false;
	hooks_report(nr, report);
	return true;
}

bool accounting_knows_children(void)
{
	return hooks_see(HOOK_RELEASE_TASK);
}

bool accounting_sees_exits(void)
{
	return hook_attached(HOOK_SCHED_SWITCH) && hook_attached(HOOK_SCHED_PROCESS_EXIT);
}

bool accounting_sees_execs(void)
{
	return hook_attached(HOOK_SCHED_PROCESS_EXEC);
}

int accounting_note_dumpable(void)
{
	int err;

	lockdep_assert_held(&accounting_rwsem);
	if (!hooks_see(HOOK_EXIT_SIGNALS))
		return -EOPNOTSUPP;
	err = hooks_enable(HOOK_EXIT_SIGNALS);
	if (!err)
		WRITE_ONCE(dumpable_noted, true);
	return err;
}
