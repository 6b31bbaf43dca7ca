/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that use the module in every way, whether it is there or not. */
#ifndef USERS_H
#define USERS_H

#include <stdint.h>

/* What they have done, all together. */
struct users_counts {
	uint64_t requests;	/* that were answered, with an error or without one */
	uint64_t exits, alerts;	/* that arrived */
	uint64_t maps;		/* mappings that were read */
	uint64_t switches;	/* accounting, off or on */
	uint64_t unexpected;	/* errors that nobody explains; each is printed */
};

void users_start(void);
/* Returns when none of them uses the module any more. */
void users_stop(void);
/* 1: from now on nobody maps counters, which keeps the module from being removed; 0: go on. */
void users_step_aside(int leave);
struct users_counts users_counts(void);

#endif
