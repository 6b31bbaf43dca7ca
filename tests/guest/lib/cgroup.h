/* SPDX-License-Identifier: GPL-2.0-only */
/* A cgroup for the test, and one below it. */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdint.h>
#include <sys/types.h>

#define CGROUP_ROOT	"/sys/fs/cgroup"
#define CGROUP_OWN	CGROUP_ROOT "/taskrt"
#define CGROUP_BELOW	CGROUP_OWN "/below"

/* The id of CGROUP_OWN; 0: there is no v2 hierarchy. */
uint64_t cgroup_make(void);
/* Removes both; no task may be in them any more. */
void cgroup_remove(void);
/* Moves the process into that folder; bails out if it cannot. */
void cgroup_move(pid_t pid, const char *folder);
/* The id of a folder, as the kernel has it; 0: there is no such v2 cgroup. */
uint64_t cgroup_id(const char *folder);

#endif
