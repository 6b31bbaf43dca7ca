/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks that /proc shows. */
#ifndef TASK_H
#define TASK_H

#include <sys/types.h>

typedef void (*task_fn)(const char *name, pid_t pid, void *arg);

/* Calls this for each process, and for each thread of the kernel.  It may end meanwhile. */
void task_each(task_fn fn, void *arg);

/* The process with that name, of which there is one at most; 0: there is none. */
pid_t task_named(const char *name);

#endif
