/* SPDX-License-Identifier: GPL-2.0-only */
/* Who accounts while something is measured. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

enum config {
	CONFIG_ABSENT,		/* nobody: the module is not loaded */
	CONFIG_OFF,		/* the module is switched off */
	CONFIG_ON,		/* the module */
	CONFIG_STORAGE,		/* an eBPF program with task storage */
	CONFIG_HASH,		/* an eBPF program with a hash map */
	CONFIG_SCHEDSTATS,	/* the kernel: delayacct and schedstats */
	CONFIG_BPFTRACE,	/* a script of bpftrace */
	CONFIGS,
};

extern const char * const config_names[CONFIGS];

/* Return: 0 if this guest cannot have it. */
int config_enter(enum config config);
void config_leave(void);

/* The id of the map in which the eBPF program of the present configuration sums. */
uint32_t config_map_id(void);

#endif
