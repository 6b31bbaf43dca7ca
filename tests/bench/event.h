/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations that are measured.  Each function repeats its operation and returns
 * the nanoseconds of CLOCK_MONOTONIC for one, which under -icount are instructions of
 * the guest.
 */
#ifndef EVENT_H
#define EVENT_H

/* Prepares what the operations need, so that it is not measured with them. */
void event_prepare(void);
/* Must be called each time the module has been loaded, because its family has a new id. */
void event_connect(void);
void event_disconnect(void);

double event_switch(void);	/* one switch and one wake-up */
double event_fault(void);	/* one minor fault */
double event_mutex(void);	/* one contended acquisition, without its switches */
double event_rwsem_read(void);
double event_rwsem_write(void);
double event_free_mutex(void);	/* acquisition and release of an uncontended mutex */
double event_fork(void);	/* vfork(), exit and wait for one child */

/* The following use all groups unless the name says otherwise. */
double event_get_self(void);
double event_get_self_times(void);
double event_get_self_bare(void);	/* without any group */
double event_get_version_1(void);
double event_get_other(void);
double event_library_self(void);
double event_library_self_times(void);
double event_dump(void);		/* for one of many threads */
double event_dump_times(void);
double event_getrusage(void);
double event_cpu_clock(void);

double event_record_size(void);	/* the memory for one thread, in bytes */

#endif
