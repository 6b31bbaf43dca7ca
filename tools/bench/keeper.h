/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that switches accounting on again when this one has ended, however it ends. */
#ifndef TOOLS_BENCH_KEEPER_H
#define TOOLS_BENCH_KEEPER_H

#include <sys/types.h>

struct keeper {
	pid_t pid;
	int fd;
};

/* fd: of the parameter.  Return: 0, or a negative errno. */
int keeper_start(struct keeper *keeper, int fd);

/* Let it switch accounting on, and wait for it.  Return: 0, or a negative errno. */
int keeper_end(struct keeper *keeper);

#endif
