/* SPDX-License-Identifier: GPL-2.0-only */
/* What the module has when nobody uses it any more. */
#ifndef QUIET_H
#define QUIET_H

/* The tasks that /proc shows. */
unsigned int quiet_tasks(void);

/*
 * Waits until there are no listeners, armed threads, mappings and backlogs, and as many
 * records as tasks; checks that it comes to that.  Nobody else may use the module.
 */
void quiet_check(const char *name);

#endif
