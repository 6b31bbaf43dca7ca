/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks that /proc shows. */
#ifndef TASK_H
#define TASK_H

#include <sys/types.h>

/* The process with that name, of which there is one at most; 0: there is none. */
pid_t task_named(const char *name);

#endif
