/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups of version 2, by path or by id. */
#ifndef TOOLS_COMMON_CGROUP_H
#define TOOLS_COMMON_CGROUP_H

#include <stdint.h>

/*
 * text: an id, a folder of a mounted cgroup2 file system, or a path below its
 * root as /proc/PID/cgroup shows it.
 * Return: 0, or STATUS_USAGE or STATUS_FAILED after a message.
 */
int cgroup_find(const char *text, uint64_t *id);

#endif
