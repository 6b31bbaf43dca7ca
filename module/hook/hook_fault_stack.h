/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out from its stack whether the current thread is in handle_mm_fault(). */
#ifndef TASKRT_HOOK_FAULT_STACK_H
#define TASKRT_HOOK_FAULT_STACK_H

#include <linux/types.h>
#include "compat/compat.h"
#include "task/thread.h"

/* hook_fault_inside() is implemented for these architectures only. */
#if defined(TASKRT_HAVE_FTRACE_ARGS) && defined(CONFIG_MEMCG) && \
	(defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
#define HOOK_FAULT_COUNT
#endif

/* The lowest noted bit of the stack pointer at the entry. */
#define FAULT_STACK_SHIFT	3

/* True if the current thread, whose fault this is, may still be in the function. */
bool hook_fault_inside(const struct thread_fault *fault);

/* Notes what a return tracer substitutes, if it hides that the thread is in the function. */
void hook_fault_note_traced(const struct thread_fault *fault);

/* Forgets the return tracer that was seen.  Called before the hooks are attached. */
void hook_fault_forget(void);

#endif /* TASKRT_HOOK_FAULT_STACK_H */
