/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of reporting an exit to a listener: the additional nanoseconds for the
 * creation and the exit of one thread or process if a listener reads the records.
 */
#ifndef EXIT_H
#define EXIT_H

double exit_thread_told(void);		/* one record, with all groups */
double exit_process_told(void);		/* two records: of the thread and of the process */
double exit_thread_told_times(void);	/* the same, with only the times */
double exit_process_told_times(void);
double exit_process_thread_told(void);	/* only the record of the thread */
/* The same with taskstats of the kernel, for comparison. */
double exit_thread_taskstats(void);
double exit_process_taskstats(void);

#endif
