/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests whether attached probes are called.  kernel.ftrace_enabled=0 (before 7.3) silences ftrace's
 * callbacks and, on x86, kprobes at the entry of a function; a file in debugfs disables all
 * kprobes.  The kernel reports neither, so the module probes two functions of its own, and calls
 * them.
 */
#ifndef TASKRT_HOOK_LIVE_H
#define TASKRT_HOOK_LIVE_H

#include <linux/types.h>

enum {
	LIVE_KPROBES	= 1,		/* kretprobes as well */
	LIVE_FTRACE	= 2,
	LIVE_ALL	= 3,
};

/* A kind that cannot be tested counts as live.  Context: may sleep. */
void hook_live_attach(void);
void hook_live_detach(void);

/*
 * Tests which kinds are called now.  Return: true if that has changed since the last call.
 * Context: a task, with preemption on; hook_live_attach() need not have been called.
 */
bool hook_live_look(void);

/* True if all these kinds, a mask of LIVE_*, were called at the last hook_live_look(). */
bool hook_live(unsigned int kinds);

#endif /* TASKRT_HOOK_LIVE_H */
