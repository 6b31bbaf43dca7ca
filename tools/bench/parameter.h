/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's parameter "enabled", which switches accounting off and on; the observers that this
 * would disturb; and a process that switches accounting on again, however this one ends.
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

/* Return: STATUS_OK; another status, after a message, if a program observes threads. */
int observers_check(const struct taskrt_info *info);

/* The same, with current information. */
int observers_check_now(struct taskrt *handle);

struct keeper {
	pid_t pid;
	int fd;
};

/* fd: of the parameter.  Return: 0, or a negative errno. */
int keeper_start(struct keeper *keeper, int fd);

/* Let the keeper switch accounting on, and wait for its end.  Return: 0, or a negative errno. */
int keeper_end(struct keeper *keeper);

#endif
