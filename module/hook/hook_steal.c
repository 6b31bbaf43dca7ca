// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/tick.h>
#include "compat/clock.h"
#include "hook/hook.h"
#include "hook/hook_self.h"
#include "hook/hook_steal.h"

bool hook_steal_seen;
DEFINE_PER_CPU(struct hook_steal_cpu, hook_steal_cpu);

void hook_steal_prepare(void)
{
	bool seen = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct hook_steal_cpu *c = per_cpu_ptr(&hook_steal_cpu, cpu);

		c->before = READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
		c->idle_at = jiffies - 2;
		seen |= c->before;
	}
	hook_steal_seen = seen;
}

bool hook_steal_possible(void)
{
	return hrtimer_resolution == 1;
}

/*
 * The thread that the tick interrupts, if it certainly ran when the time was stolen.  If the
 * processor was idle a tick ago, the time may have been stolen before the thread ran.  With
 * nohz_full, the kernel may report such time even later.
 */
static struct thread *hook_steal_victim(void)
{
	struct thread *t = thread_of_cpu(current);

	if (!t || !hook_attached(HOOK_SCHED_SWITCH) ||
	    record_present(&t->record) != TASKRT_STATE_RUNNING ||
	    time_before_eq(jiffies, __this_cpu_read(hook_steal_cpu.idle_at) + 1) ||
	    tick_nohz_full_cpu(smp_processor_id()))
		return NULL;
	return t;
}

/*
 * The kernel does not say when the time was stolen.  Assume that the interval ends now, and starts
 * neither before the thread got the CPU nor before the end of the last stolen interval.
 */
void hook_steal_charge(u64 reported)
{
	struct hook_steal_cpu *c = this_cpu_ptr(&hook_steal_cpu);
	const s64 stolen = reported - c->before;
	const u64 now = clock_now();
	struct thread *t;
	u64 begin, ns;

	c->before = reported;
	/* The hypervisor's clock may have stepped back. */
	if (stolen <= 0 || !hook_steal_possible())
		return;
	if (unlikely(!READ_ONCE(hook_steal_seen)))
		WRITE_ONCE(hook_steal_seen, true);
	t = hook_steal_victim();
	if (!t)
		return;
	begin = max(t->record.since, c->until);
	ns = min_t(u64, stolen, record_elapsed(begin, now));
	if (!ns)
		return;
	c->until = now;
	hook_charge(t, TASKRT_TIMER_STEAL, now - ns, ns);
}
