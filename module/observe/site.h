/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a thread was in its longest waits: a function of the kernel, as a small number. */
#ifndef TASKRT_SITE_H
#define TASKRT_SITE_H

#include "compat/compat.h"
#include "task/thread.h"

#ifdef CONFIG_KALLSYMS
#define SITE_KNOWN	COMPAT_STACK_OF_OTHERS
#else
#define SITE_KNOWN	false
#endif

/* A shorter wait has no site. */
#define SITE_LEAST_NS	1000000

/* False if it is certain that the wait which has ended changes no site. */
static __always_inline bool site_may_change(struct record_interval waited)
{
	return SITE_KNOWN && waited.longest && waited.ns >= SITE_LEAST_NS;
}

void site_note_longest(struct thread *t, unsigned long state);

/*
 * site_note() - a wait of the thread has ended; if it is its longest one, note where it was
 *
 * Context: the hook of the wake-up, between record_sched_begin() and record_sched_end().
 */
static __always_inline void site_note(struct thread *t, struct record_interval waited)
{
	if (unlikely(site_may_change(waited)))
		site_note_longest(t, waited.state);
}

/*
 * site_name() - the name of a site
 *
 * An address that has no name, as its module has gone, is not revealed.
 * Context: any.
 */
void site_name(u32 site, char *name, size_t size);

#endif /* TASKRT_SITE_H */
