/* SPDX-License-Identifier: GPL-2.0-only */
/* What somebody who receives the numbers must know of the machine. */
#ifndef TOOLS_BENCH_MACHINE_H
#define TOOLS_BENCH_MACHINE_H

struct machine {
	char kernel[65], version[65], architecture[65];	/* as uname(1) -r, -v and -m */
	long processors;	/* online */
	char processor[128];	/* the model; "": not known */
	int hypervisor;		/* is there one? -1: not known */
	char governor[32];	/* of cpufreq; "": not known */
	char clocksource[32];
};

/* cpu: on which it is measured. */
void machine_read(struct machine *machine, int cpu);

#endif
