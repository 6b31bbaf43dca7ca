/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the stack of the current thread shows that it is in handle_mm_fault(). */
#ifndef TASKRT_HOOK_FAULT_STACK_H
#define TASKRT_HOOK_FAULT_STACK_H

#include <linux/types.h>
#include "compat/compat.h"
#include "task/thread.h"

/* The stack is searched for the function, which is done for these. */
#if defined(TASKRT_HAVE_FTRACE_ARGS) && defined(CONFIG_MEMCG) && \
	(defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
#define HOOK_FAULT_COUNT
#endif

/* Of the stack pointer at the entry these bits are noted. */
#define FAULT_STACK_SHIFT	3

/*
 * hook_fault_inside() - is the current thread, which is in a fault, still in the function?
 * @fault: the fault
 *
 * In doubt it is.
 */
bool hook_fault_inside(const struct thread_fault *fault);

/* The current thread is in the function, and its stack did not show it. */
void hook_fault_note_traced(const struct thread_fault *fault);

/* Before the hooks are attached: no traced return has been seen yet. */
void hook_fault_forget(void);

#endif /* TASKRT_HOOK_FAULT_STACK_H */
