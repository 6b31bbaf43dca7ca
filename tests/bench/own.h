/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread's own counters cost: to read, and to have.  Units as in event.h.
 * Where the module is not there, the same is done without what it is for.
 */
#ifndef OWN_H
#define OWN_H

double own_read(void);			/* one taskrt_self_read() */
double own_get(void);			/* one taskrt_self_get(), with every group */
double own_get_times(void);		/* and with the times alone */
double own_window(void);		/* a window's begin and end */
double own_clock(void);			/* clock_gettime(CLOCK_MONOTONIC), to compare */
double own_taskstats(void);		/* a GET of taskstats, to compare */

/* One switch and one wake-up of two threads ... */
double own_switch_beside(void);		/* what another one's being mapped and armed adds */
double own_switch_mapped(void);		/* that have their counters mapped */
double own_switch_armed(void);		/* that are armed */

double own_alert(void);			/* one ioctl; what the worker does later is not in it */

#endif
