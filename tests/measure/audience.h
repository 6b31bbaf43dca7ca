/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that listens to the exits of all tasks. */
#ifndef AUDIENCE_H
#define AUDIENCE_H

#include <sys/types.h>

/* Returns when it listens.  With @reads it reads what comes, else it never does. */
pid_t audience_start(int reads);
void audience_end(pid_t pid);

#endif
