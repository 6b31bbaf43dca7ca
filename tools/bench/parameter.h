/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's parameter "enabled", which switches accounting off and on; who would notice; and
 * the process that switches it on again, however this one ends.
 */
#ifndef TOOLS_BENCH_PARAMETER_H
#define TOOLS_BENCH_PARAMETER_H

#include <sys/types.h>
#include <taskrt.h>

#define PARAMETER_PATH	"/sys/module/taskrt/parameters/enabled"

/* Return: a descriptor; -EBUSY: another taskrt bench has it; another negative errno. */
int parameter_open(void);

/* Return: 0, or a negative errno. */
int parameter_set(int fd, int on);

/* Return: is accounting on? or a negative errno. */
int parameter_get(int fd);

/* Return: a status, after a message where it is not STATUS_OK: somebody observes. */
int observers_check(const struct taskrt_info *info);

/* The same, for those of this moment. */
int observers_check_now(struct taskrt *handle);

struct keeper {
	pid_t pid;
	int fd;
};

/* fd: of the parameter.  Return: 0, or a negative errno. */
int keeper_start(struct keeper *keeper, int fd);

/* Let it switch accounting on, and wait for it.  Return: 0, or a negative errno. */
int keeper_end(struct keeper *keeper);

#endif
