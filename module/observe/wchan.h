/* SPDX-License-Identifier: GPL-2.0-only */
/* wchan: the function of the kernel in which a thread waited longest, as a small number. */
#ifndef TASKRT_SITE_H
#define TASKRT_SITE_H

#include "compat/compat.h"
#include "task/thread.h"

#ifdef CONFIG_KALLSYMS
#define WCHAN_KNOWN	COMPAT_STACK_OF_OTHERS
#else
#define WCHAN_KNOWN	false
#endif

/* A shorter wait has no wchan. */
#define WCHAN_LEAST_NS	1000000

/* False if it is certain that the wait which has ended changes no wchan. */
static __always_inline bool wchan_may_change(struct record_interval waited)
{
	return WCHAN_KNOWN && waited.longest && waited.ns >= WCHAN_LEAST_NS;
}

void wchan_note_longest(struct thread *t, unsigned long state);

/*
 * wchan_note() - a wait of the thread has ended; if it is its longest one, note where it was
 *
 * Context: the hook of the wake-up, between record_sched_begin() and record_sched_end().
 */
static __always_inline void wchan_note(struct thread *t, struct record_interval waited)
{
	if (unlikely(wchan_may_change(waited)))
		wchan_note_longest(t, waited.state);
}

/*
 * wchan_name() - the name of a wchan
 *
 * An address that has no name, as its module has gone, is not revealed.
 * Context: any.
 */
void wchan_name(u32 wchan, char *name, size_t size);

#endif /* TASKRT_SITE_H */
