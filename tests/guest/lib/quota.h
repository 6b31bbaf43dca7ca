/* SPDX-License-Identifier: GPL-2.0-only */
/* Quotas of CPU time (cpu.max) for the cgroup of the test, and the one below it. */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdint.h>

#include "cgroup.h"

/* 80 of 100 ms are left without CPU time. */
#define QUOTA		"20000 100000"
#define QUOTA_NONE	"max 100000"

/* Makes both until the program ends.  0: the kernel has no quotas, or no cgroups of version 2. */
int quota_make(void);
void quota_set(const char *folder, const char *quota);
/* That thread, or the calling one, is in that group from now on. */
void quota_move(pid_t tid, const char *folder);
void quota_enter(const char *folder);
/* What the kernel counts: for how long the group was throttled, summed over CPUs. */
uint64_t quota_throttled_ns(const char *folder);

#endif
