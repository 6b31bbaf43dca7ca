// SPDX-License-Identifier: GPL-2.0-only
/* Interrupt the caller. */
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/sched.h>

#include "internal.h"

/* The longest time that others are kept off the CPU. */
#define MOST_NS		NSEC_PER_SEC

struct interrupt {
	struct irq_work hard;
	struct tasklet_struct soft;
	u64 ns;
	bool nested;		/* a hard one in the soft one */
	bool done;
};

static void busy(u64 ns)
{
	const u64 end = ktime_get_ns() + ns;

	while (ktime_get_ns() < end)
		cpu_relax();
}

static void in_hard(struct irq_work *work)
{
	struct interrupt *interrupt = container_of(work, struct interrupt, hard);

	if (interrupt->ns)
		busy(interrupt->ns);
	WRITE_ONCE(interrupt->done, true);
}

static void raise_hard(struct interrupt *interrupt)
{
	interrupt->done = false;
	irq_work_queue(&interrupt->hard);
	while (!READ_ONCE(interrupt->done))
		cpu_relax();
}

static void in_soft(struct tasklet_struct *tasklet)
{
	struct interrupt *interrupt = container_of(tasklet, struct interrupt, soft);

	if (interrupt->nested)
		raise_hard(interrupt);
	busy(interrupt->ns);
	WRITE_ONCE(interrupt->done, true);
}

/* If ksoftirqd is about to run, it serves the softirq instead of this thread. */
static void raise_soft(struct interrupt *interrupt)
{
	interrupt->done = false;
	local_bh_disable();
	tasklet_schedule(&interrupt->soft);
	local_bh_enable();
	while (!READ_ONCE(interrupt->done))
		cond_resched();
}

/* On PREEMPT_RT others run in a thread.  Plain 5.10 has no such macro. */
static void init_irq_hard(struct irq_work *work)
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(in_hard);
#else
	init_irq_work(work, in_hard);
#endif
}

int test_interrupt(const struct taskrt_test_interrupt *arg)
{
	struct interrupt interrupt = {
		.ns = arg->ns,
		.nested = arg->how == TASKRT_TEST_HARD_IN_SOFT,
	};
	u32 i;

	if (arg->how >= TASKRT_TEST_NR_INTERRUPTS || arg->ns > MOST_NS || arg->rounds > 1000000)
		return -EINVAL;
	init_irq_hard(&interrupt.hard);
	tasklet_setup(&interrupt.soft, in_soft);
	for (i = 0; i < arg->rounds; i++) {
		if (arg->how == TASKRT_TEST_HARD) {
			preempt_disable();
			raise_hard(&interrupt);
			preempt_enable();
		} else {
			raise_soft(&interrupt);
		}
	}
	irq_work_sync(&interrupt.hard);
	tasklet_kill(&interrupt.soft);
	return 0;
}
