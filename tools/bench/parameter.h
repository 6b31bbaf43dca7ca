/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's parameter "enabled", which switches accounting off and on. */
#ifndef TOOLS_BENCH_PARAMETER_H
#define TOOLS_BENCH_PARAMETER_H

#define PARAMETER_PATH	"/sys/module/taskrt/parameters/enabled"

/* Return: a descriptor; -EBUSY: another taskrt bench has it; another negative errno. */
int parameter_open(void);

/* Return: 0, or a negative errno. */
int parameter_set(int fd, int on);

/* Return: is accounting on? or a negative errno. */
int parameter_get(int fd);

#endif
