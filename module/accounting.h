/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounting is on or off.  While it is off, no hook is attached, there is no record, and it costs
 * nothing.  When it is switched on, everything starts as at load: cpu_time and queue_time continue
 * from the kernel's totals, everything else starts at 0, and tracked_since is the present time.
 */
#ifndef TASKRT_ACCOUNTING_H
#define TASKRT_ACCOUNTING_H

#include <linux/types.h>
#include "hook/hooks.h"

struct task_struct;
struct taskrt_measured;

/* @options: a mask of 1 << enum hook_option */
int accounting_on(u64 max_threads, const char *without, unsigned int options);
void accounting_off(void);

/* Starts or stops measuring what belongs to an option.  Does nothing while accounting is off. */
void accounting_option(enum hook_option option, bool want, const char *without);

/* Accounting stays on until accounting_put().  Context: may sleep. */
bool accounting_get(void);	/* false: it is off, and nothing is held */
void accounting_put(void);

/* Does not wait.  Return: false while accounting is being switched; if true, it stays as it is. */
bool accounting_tryget(void);
bool accounting_is_on(void);

/* The functions below are called while accounting is held, except where noted. */

/* A thread was armed: attaches the hooks that only armed threads need.  May sleep. */
void accounting_armed(void);

/*
 * The mask of TASKRT_VALID_*, and what is measured.  The worker may read both without holding
 * accounting, for a closed thread: their first values are written before the first record exists,
 * and accounting_off() waits for the worker before accounting can be switched on again.
 */
u64 accounting_valid(void);
const struct taskrt_measured *accounting_measured(void);

/*
 * Tests whether the hooks are still called, and updates what is measured.  accounting_get() does
 * this; the worker calls it before it reads what is measured.
 */
void accounting_follow(void);

/* Calls hook_cycles_renew() if the task belongs to the current process. */
void accounting_renew(const struct task_struct *task);

/* When accounting was switched on. */
u64 accounting_since(void);

/*
 * What a mapped page can show.  The kernel's own counters are part of it only if a hook is attached
 * that updates the page with them.
 */
void accounting_measured_page(struct taskrt_measured *m);

/* Reports the hook with this number, or returns false.  May be called while accounting is off. */
bool accounting_hook(unsigned int nr, struct hook_report *report);

/* True if hooks are attached that see which process reaps a child, exits, or execs. */
bool accounting_knows_children(void);
bool accounting_sees_exits(void);
bool accounting_sees_execs(void);

/*
 * Notes from now on whether exiting tasks are dumpable.  Return: 0; -EOPNOTSUPP if exit_signals()
 * is not hooked; or the error of enabling its hook, such as -ENOMEM.
 */
int accounting_note_dumpable(void);

#endif /* TASKRT_ACCOUNTING_H */
