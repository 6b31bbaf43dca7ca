/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's delay accounting, and what taskstats says of it. */
#ifndef DELAYS_H
#define DELAYS_H

#include <linux/taskstats.h>
#include <stdint.h>
#include <sys/types.h>

/* Is it on for the tasks that are created now? */
int delays_are_on(void);
/* Switches it for the tasks that are created from now on: true, if it is so. */
int delays_switch(int on);
/* The timers that this series of the kernel counts. */
uint32_t delays_kinds(void);
/* What taskstats knows of a task, or the end of the test. */
void delays_ask(pid_t tid, struct taskstats *reading);

#endif
