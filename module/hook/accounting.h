/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The switch: accounting is on, or it is off and costs nothing.
 *
 * Off means: no hook, no record.  Switched on again, everything starts as at
 * load: cpu_time and queue_time go on from the kernel's own totals, whatever
 * is only measured here starts from 0, and tracked_since says when that was.
 */
#ifndef TASKRT_ACCOUNTING_H
#define TASKRT_ACCOUNTING_H

#include <linux/types.h>

struct hook_report;
struct taskrt_measured;

int accounting_on(u64 max_threads, const char *without);
void accounting_off(void);

/* A reader holds the switch in its position from get to put.  May sleep. */
bool accounting_get(void);	/* false: it is off, and nothing is held */
void accounting_put(void);

/*
 * Where nothing may be waited for.  false: the switch is being thrown; else it is
 * held, in whichever position it is.
 */
bool accounting_tryget(void);
bool accounting_is_on(void);

/* What is known, TASKRT_VALID_*, what is measured, and since when; while it is held. */
u64 accounting_valid(void);
const struct taskrt_measured *accounting_measured(void);
u64 accounting_since(void);

/*
 * What a mapped page can say: not what the kernel counts itself, if there is no hook
 * that tells the page of it.  While it is held.
 */
void accounting_measured_page(struct taskrt_measured *m);

/* The hooks, one after the other from 0 on.  Return: false, if there are no more. */
bool accounting_hook(unsigned int nr, struct hook_report *report);

/* Is it known who waits for whom?  While it is held. */
bool accounting_knows_children(void);

/* Is a task's end seen?  While it is held. */
bool accounting_sees_exits(void);

/* Is it seen that a task runs another program?  While it is held. */
bool accounting_sees_execs(void);

/*
 * From now on, of those who exit it is known whether they were dumpable.
 * While it is held.  Return: 0, or why that cannot be known on this kernel.
 */
int accounting_note_dumpable(void);

#endif /* TASKRT_ACCOUNTING_H */
