/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a probe called that is attached?  kernel.ftrace_enabled=0 (before 7.3) silences what
 * ftrace calls, and on x86 kprobes at the entry of a function as well; debugfs has a switch
 * for all kprobes.  The kernel reports neither.  So two functions of the module itself are
 * probed, and called to see.
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
 * hook_live_look() - see which kinds are called at this moment
 *
 * Context: a task, with preemption on; detached or not.
 * Return: true if that has changed since it was called last.
 */
bool hook_live_look(void);

/* Are all these kinds, a mask of LIVE_*, called?  As of the last hook_live_look(). */
bool hook_live(unsigned int kinds);

#endif /* TASKRT_HOOK_LIVE_H */
