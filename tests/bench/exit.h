/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What it costs to tell a listener of an end: the nanoseconds that one thread or
 * process, from its beginning to its end, takes more with a listener that reads
 * than without.
 */
#ifndef EXIT_H
#define EXIT_H

double exit_thread_told(void);		/* a record, with every group */
double exit_process_told(void);		/* two: its thread's and its own */
double exit_thread_told_times(void);	/* the same with the times alone */
double exit_process_told_times(void);
double exit_process_thread_told(void);	/* of these the thread's alone */
/* The same with the kernel's own taskstats. */
double exit_thread_taskstats(void);
double exit_process_taskstats(void);

#endif
