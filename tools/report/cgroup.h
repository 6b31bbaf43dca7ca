/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups of version 2, by path or by id. */
#ifndef TOOLS_REPORT_CGROUP_H
#define TOOLS_REPORT_CGROUP_H

#include <stdint.h>
#include <sys/types.h>

/*
 * text: an id, a folder of a mounted cgroup2 file system, or a path below its
 * root as /proc/PID/cgroup shows it, with or without the first slash.
 * Return: 0, or STATUS_USAGE or STATUS_FAILED after a message.
 */
int cgroup_find(const char *text, uint64_t *id);

#define CGROUP_PATH_MAX	4096

/* The path, below its root, of the cgroup with this id that the task is in.  Return: 0; -1. */
int cgroup_path(pid_t tid, uint64_t id, char path[CGROUP_PATH_MAX]);

#endif
