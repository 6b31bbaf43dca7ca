/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounting is either on, or off.  When it is off, no hook is attached, there are no
 * records, and it costs nothing.
 *
 * When it is switched on again, everything starts as at load: cpu_time and queue_time
 * continue from the kernel's totals, everything else starts from 0, and tracked_since
 * is the time of the switch.
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

/*
 * accounting_option() - what belongs to an option is measured from now on, or no longer
 *
 * While accounting is off, nothing happens.
 */
void accounting_option(enum hook_option option, bool want, const char *without);

/* A reader holds the switch in its position from get to put.  May sleep. */
bool accounting_get(void);	/* false: it is off, and nothing is held */
void accounting_put(void);

/*
 * Where nothing may be waited for.  false: the switch is being thrown; else it is
 * held, in whichever position it is.
 */
bool accounting_tryget(void);
bool accounting_is_on(void);

/*
 * The functions below are called while accounting is held, except where noted.
 */

/* A thread was armed: the hooks are attached that only armed threads need.  May sleep. */
void accounting_armed(void);

/*
 * accounting_valid(), accounting_measured() - the mask TASKRT_VALID_*; what is measured
 * The worker may call them without holding accounting, for a thread that has closed: their
 * first values are written before anybody has a record, and accounting_off() waits for the
 * worker before accounting can be switched on again.
 */
u64 accounting_valid(void);
const struct taskrt_measured *accounting_measured(void);

/*
 * accounting_follow() - see whether the hooks are still called, and change what is measured
 *
 * accounting_get() does it.  The worker calls it before it reads what is measured.
 */
void accounting_follow(void);

/*
 * accounting_renew() - bring the counts of a task up to date that are as old as its last switch
 *
 * Only the current thread's can be.
 */
void accounting_renew(const struct task_struct *task);

/* Since when it is on; while it is held. */
u64 accounting_since(void);

/*
 * accounting_measured_page() - what a mapped page can show
 *
 * The kernel's own counters are part of it only if a hook is attached that updates
 * the page with them.
 */
void accounting_measured_page(struct taskrt_measured *m);

/*
 * accounting_hook() - report one hook
 * @nr: its number, from 0 on
 *
 * It may also be called while accounting is off.
 * Return: false if there is no such hook.
 */
bool accounting_hook(unsigned int nr, struct hook_report *report);

/* True if the hook is attached that sees which process waits for which. */
bool accounting_knows_children(void);

/* True if the hooks are attached that see exits. */
bool accounting_sees_exits(void);

/* True if the hook is attached that sees execs. */
bool accounting_sees_execs(void);

/*
 * accounting_note_dumpable() - note from now on whether exiting tasks are dumpable
 *
 * Return: 0; -EOPNOTSUPP if exit_signals() is not hooked; or why it could not be enabled,
 * such as -ENOMEM.
 */
int accounting_note_dumpable(void);

#endif /* TASKRT_ACCOUNTING_H */
