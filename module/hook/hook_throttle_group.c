// SPDX-License-Identifier: GPL-2.0-only
#include "hook/hook_throttle_group.h"

bool hook_throttle_met __read_mostly;

#ifdef COMPAT_THROTTLES_GROUPS
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include "compat/clock.h"
#include "hook/hook.h"
#include "hook/probes.h"
#include "observe/dispatch.h"

/*
 * The kernel names a CPU by the address of its runqueue, a per-CPU variable.  The queue of the root
 * group is a part of the runqueue, near its start, and holds the topmost entity of each task.  So a
 * short distance to that queue identifies a runqueue: the queues of other CPUs are further away.
 */
#define QUEUE_WITHIN	4096UL

static unsigned long root_queue;	/* its offset in the area of each CPU */

static bool hook_throttle_group_is_of(unsigned long runqueue, int cpu)
{
	return root_queue + per_cpu_offset(cpu) - runqueue < QUEUE_WITHIN;
}

/* The CPU of a runqueue, usually this one.  Return: -1 if there is none, which does not happen. */
static int hook_throttle_group_cpu(unsigned long runqueue)
{
	int cpu = raw_smp_processor_id();

	if (likely(hook_throttle_group_is_of(runqueue, cpu)))
		return cpu;
	for_each_possible_cpu(cpu)
		if (hook_throttle_group_is_of(runqueue, cpu))
			return cpu;
	return -1;
}

static void hook_throttle_group_find_root(void)
{
	const struct sched_entity *se = &current->se;
	unsigned long flags;

	/* With interrupts off, these entities are this CPU's, and are not freed. */
	local_irq_save(flags);
	while (se->parent)
		se = se->parent;
	root_queue = (unsigned long)se->cfs_rq - per_cpu_offset(raw_smp_processor_id());
	local_irq_restore(flags);
}

/* Only a task of the fair class is queued in its groups. */
static bool hook_throttle_group_has(const struct task_struct *task)
{
	return task->prio >= MAX_RT_PRIO && task->se.on_rq;
}

/* True if the entity of a queued task's group is off its runqueue: the group is throttled. */
static bool hook_throttle_group_off(const struct task_struct *task)
{
	const struct sched_entity *se;

	for (se = task->se.parent; se; se = se->parent)
		if (!se->on_rq)
			return true;
	return false;
}

bool hook_throttle_group_queued(struct thread *t, const struct task_struct *task)
{
	const struct task_group *group = task->sched_task_group;
	const unsigned int cpu = task_cpu(task);
	bool running, throttled;
	u64 before;

	if (!hook_throttle_group_has(task)) {
		WRITE_ONCE(t->throttle_group, THREAD_NO_GROUP);
		return false;
	}
	throttled = hook_throttle_group_off(task);
	WRITE_ONCE(t->throttle_cpu, cpu);
	if (likely(!throttled && !throttle_has_clock(cpu, group))) {
		WRITE_ONCE(t->throttle_before, 0);
		WRITE_ONCE(t->throttle_group, group);
		return false;
	}
	before = throttle_clock(cpu, group, clock_now(), &running);
	/* The group was throttled before the hooks were attached, or a kprobe was missed. */
	if (unlikely(running != throttled)) {
		if (throttle_correct(cpu, group, throttled))
			before = throttle_clock(cpu, group, clock_now(), &running);
		else
			group = THREAD_NO_GROUP;
	}
	WRITE_ONCE(t->throttle_before, before);
	WRITE_ONCE(t->throttle_group, group);
	return throttled;
}

void hook_throttle_group_ran(struct thread *t, const struct task_struct *task)
{
	const struct task_group *group = t->throttle_group;
	const u8 state = record_present(&t->record);
	struct totals_wait wait;
	u64 now;

	if (!record_queued(state))
		return;
	if (likely(state != TASKRT_STATE_THROTTLED && group == task->sched_task_group &&
		   !t->throttle_before && !throttle_has_clock(t->throttle_cpu, group)))
		return;
	now = clock_now();
	wait = throttle_wait(t, now);
	if (!wait.known)
		return;
	/* A kprobe was missed: the thread runs, so its group is not throttled. */
	if (unlikely(wait.throttled) && hook_throttle_group_has(task))
		throttle_correct(task_cpu(task), task->sched_task_group, false);
	/* Count this even if a move was missed, because readers have seen it. */
	if (wait.throttled_ns || state == TASKRT_STATE_THROTTLED)
		dispatch_throttled(t, wait.throttled_ns);
}

void hook_throttle_group_move(struct thread *t, const struct task_struct *task, unsigned int cpu)
{
	const struct task_group *group = task->sched_task_group;
	struct totals_wait wait;
	bool running;
	u64 now;

	if (!record_queued(record_present(&t->record)))
		return;
	record_sched_begin(&t->record);
	now = clock_now();
	wait = throttle_wait(t, now);
	if (wait.known) {
		WRITE_ONCE(t->throttle_group, group);
		WRITE_ONCE(t->throttle_cpu, cpu);
		WRITE_ONCE(t->throttle_before,
			   throttle_clock(cpu, group, now, &running) - wait.throttled_ns);
	}
	record_sched_end(&t->record);
}

/* The task has its new group already, and is in no queue. */
static int hook_throttle_group_change(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	struct thread *t;

	if (!throttle_any())
		return 0;
	hook_hit(HOOK_TASK_CHANGE_GROUP);
	t = thread_find(task);
	if (t)
		hook_throttle_group_move(t, task, task_cpu(task));
	return 0;
}

/*
 * The first group is throttled.  The runqueue lock is held, so a switch on that CPU sees its mark
 * before the clock of any group runs there.
 */
static noinline void hook_throttle_group_first(void)
{
	int cpu;

	hook_throttle_note(&throttle_met);
	hook_throttle_note(&hook_throttle_met);
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(hook_counts, cpu).groups_throttled, true);
}

static int hook_throttle_group_down(struct kprobe *probe, struct pt_regs *regs)
{
	const struct task_group *group = (void *)regs_get_kernel_argument(regs, 0);
	const int cpu = hook_throttle_group_cpu(regs_get_kernel_argument(regs, 1));

	hook_hit(HOOK_THROTTLE);
	if (cpu >= 0 && unlikely(!READ_ONCE(per_cpu(hook_counts, cpu).groups_throttled)))
		hook_throttle_group_first();
	if (cpu < 0 || !throttle_begin(cpu, group))
		hook_miss(HOOK_THROTTLE);
	return 0;
}

static int hook_throttle_group_up(struct kprobe *probe, struct pt_regs *regs)
{
	const struct task_group *group = (void *)regs_get_kernel_argument(regs, 0);
	const int cpu = hook_throttle_group_cpu(regs_get_kernel_argument(regs, 1));

	hook_hit(HOOK_UNTHROTTLE);
	if (cpu >= 0)
		throttle_end(cpu, group);
	return 0;
}

struct kprobe hook_kprobe_throttle, hook_kprobe_unthrottle, hook_kprobe_change_group;

void hook_throttle_group_prepare(void)
{
	throttle_reset();
	hook_throttle_group_find_root();
	hook_kprobe_throttle = (struct kprobe){
		.symbol_name = "tg_throttle_down",
		.pre_handler = hook_throttle_group_down,
	};
	hook_kprobe_unthrottle = (struct kprobe){
		.symbol_name = "tg_unthrottle_up",
		.pre_handler = hook_throttle_group_up,
	};
	hook_kprobe_change_group = (struct kprobe){
		.symbol_name = "task_change_group_fair",
		.pre_handler = hook_throttle_group_change,
	};
}
#endif
