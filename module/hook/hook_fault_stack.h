/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out from its stack whether the current thread is in handle_mm_fault(). */
#ifndef TASKRT_HOOK_FAULT_STACK_H
#define TASKRT_HOOK_FAULT_STACK_H

#include <linux/types.h>
#include "compat/compat.h"
#include "task/thread.h"

/* Only these architectures have a search of the stack for the function. */
#if defined(TASKRT_HAVE_FTRACE_ARGS) && defined(CONFIG_MEMCG) && \
	(defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
#define HOOK_FAULT_COUNT
#endif

/* The lowest bit of the stack pointer at the entry that is noted. */
#define FAULT_STACK_SHIFT	3

/* True if the current thread, whose fault this is, may still be in the function. */
bool hook_fault_inside(const struct thread_fault *fault);

/* Called if the current thread is in the function, although its stack did not show it. */
void hook_fault_note_traced(const struct thread_fault *fault);

/* Forgets the return tracer that was seen.  Called before the hooks are attached. */
void hook_fault_forget(void);

#endif /* TASKRT_HOOK_FAULT_STACK_H */
