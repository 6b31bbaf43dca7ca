/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Things to do many times over.  Each returns nanoseconds of CLOCK_MONOTONIC
 * an operation, which under -icount are the guest's instructions.
 */
#ifndef EVENT_H
#define EVENT_H

/* Everything that the events need and that must not be paid for in them. */
void event_prepare(void);
/* After the module has been inserted anew: its family has another id. */
void event_connect(void);
void event_disconnect(void);

double event_switch(void);	/* one switch and one wake-up */
double event_fault(void);	/* one minor fault */
double event_mutex(void);	/* one contended acquisition, without its switches */
double event_rwsem_read(void);
double event_rwsem_write(void);
double event_free_mutex(void);	/* one that nobody holds, and its release */
double event_fork(void);	/* one child, vforked, gone and waited for */

/* With every group, where nothing else is said. */
double event_get_self(void);
double event_get_self_times(void);
double event_get_self_bare(void);	/* without any */
double event_get_version_1(void);
double event_get_other(void);
double event_library_self(void);
double event_library_self_times(void);
double event_dump(void);		/* one task of many */
double event_dump_times(void);
double event_getrusage(void);
double event_cpu_clock(void);

double event_record_size(void);	/* bytes, of one thread */

#endif
