/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of a thread's own counters: of reading them, and of having them mapped or
 * the thread armed.  The units are those of event.h.  Without the module, the same
 * operation is measured without the counters.
 */
#ifndef OWN_H
#define OWN_H

double own_read(void);			/* one taskrt_self_read() */
double own_get(void);			/* one taskrt_self_get(), with all groups */
double own_get_times(void);		/* the same, with only the times */
double own_window(void);		/* begin and end of a window */
double own_clock(void);			/* clock_gettime(CLOCK_MONOTONIC), for comparison */
double own_taskstats(void);		/* a GET of taskstats, for comparison */

/* One switch and one wake-up of two threads: */
double own_switch_beside(void);		/* the cost added if another thread is mapped and armed */
double own_switch_mapped(void);		/* threads whose counters are mapped */
double own_switch_armed(void);		/* threads that are armed */

double own_alert(void);			/* one ioctl, without the later work of the workqueue */

#endif
