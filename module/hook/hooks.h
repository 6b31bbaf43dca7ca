/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of all hooks: tracepoints and probes that are found by name. */
#ifndef TASKRT_HOOKS_H
#define TASKRT_HOOKS_H

#include "hook/hook.h"
#include "hook/hook_report.h"

/*
 * hooks_check() - check the value of the module parameter "without"
 *
 * Return: 0, or -EINVAL, with a message, if a name in the list is not that of an
 * optional hook.
 */
int hooks_check(const char *without);

/*
 * hooks_attach() - attach the hooks
 * @without: a list of hooks that are left out, separated by commas
 * @ready: called when all hooks but task_newtask are attached, before the first record
 *	   is made
 *
 * If an optional hook fails, it prints a warning and attaches the others.
 * Context: may sleep.
 * Return: 0, or the error of a required hook.  In that case no hook is attached.
 */
int hooks_attach(const char *without, void (*ready)(void));

/* Resets the counts of hits and misses, once all existing tasks have a record. */
void hooks_count_anew(void);

/* Detaches all hooks.  When it returns, no probe is running any more.  May sleep. */
void hooks_detach(void);

void hooks_report(enum hook_id id, struct hook_report *report);

/* Enables a hook that is attached, but disabled.  Return: 0 or an error. */
int hooks_enable(enum hook_id id);

#endif /* TASKRT_HOOKS_H */
