/* SPDX-License-Identifier: GPL-2.0-only */
/* All hooks: one table of tracepoints and probes, found by name, attached and detached. */
#ifndef TASKRT_HOOKS_H
#define TASKRT_HOOKS_H

#include "hook/hook.h"
#include "hook/hook_report.h"

/* Return: 0, or -EINVAL with a message: a name in the list is of no optional hook. */
int hooks_check(const char *without);

/*
 * hooks_attach() - attach all but those named in @without, a comma-separated list
 * @ready: is called when it is known which there are, and nobody has a record yet
 * Return: 0, or why a hook failed without which nobody can be tracked.  Any
 * other that fails is reported and the rest works.  May sleep.
 */
int hooks_attach(const char *without, void (*ready)(void));

/* Counts from now on: what came before everybody had a record was no miss. */
void hooks_count_anew(void);

/* No probe runs any more when it returns.  May sleep. */
void hooks_detach(void);

void hooks_report(enum hook_id id, struct hook_report *report);

/* A hook that costs nothing until somebody needs it.  Return: 0 or an errno. */
int hooks_enable(enum hook_id id);

#endif /* TASKRT_HOOKS_H */
