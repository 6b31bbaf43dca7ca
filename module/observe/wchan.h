/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wchan: where a thread was in its longest wait in a state, as the 32-bit offset of a kernel code
 * address.  A record has one for each of NR_WCHANS states.
 */
#ifndef TASKRT_WCHAN_H
#define TASKRT_WCHAN_H

#include "compat/compat.h"
#include "task/thread.h"

#ifdef CONFIG_KALLSYMS
#define WCHAN_KNOWN	COMPAT_STACK_OF_OTHERS
#else
#define WCHAN_KNOWN	false
#endif

/* A shorter wait has no wchan. */
#define WCHAN_LEAST_NS	1000000

/* False if the wait that has ended cannot change a wchan. */
static __always_inline bool wchan_may_change(struct record_interval waited)
{
	return WCHAN_KNOWN && waited.longest && waited.ns >= WCHAN_LEAST_NS;
}

void wchan_note_longest(struct thread *t, unsigned long state);

/* After the longest wait so far, note where the thread was.  Context: as record_wake(). */
static __always_inline void wchan_note(struct thread *t, struct record_interval waited)
{
	if (unlikely(wchan_may_change(waited)))
		wchan_note_longest(t, waited.state);
}

/* The name of a wchan; or "?", without the address, if it has none: its module was unloaded. */
void wchan_name(u32 wchan, char *name, size_t size);

#endif /* TASKRT_WCHAN_H */
