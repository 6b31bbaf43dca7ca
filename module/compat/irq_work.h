/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_COMPAT_IRQ_WORK_H
#define TASKRT_COMPAT_IRQ_WORK_H

#include <linux/irq_work.h>

/*
 * compat_init_irq_work() - an irq_work whose function is called in hard interrupt context
 *
 * On PREEMPT_RT a thread of the CPU would call it otherwise.  That thread is stopped while
 * tasks still run on a CPU that is being taken off, and what they queue is done when the
 * CPU comes back: who removes the module would wait for that.  5.10 has no such kind.
 */
static inline void compat_init_irq_work(struct irq_work *work, void (*fn)(struct irq_work *))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(fn);
#else
	init_irq_work(work, fn);
#endif
}

#endif /* TASKRT_COMPAT_IRQ_WORK_H */
