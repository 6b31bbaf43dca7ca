/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations that are measured.  Each function repeats its operation and returns
 * the nanoseconds of CLOCK_MONOTONIC for one, which under -icount are instructions of
 * the guest.
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdint.h>

static inline double event_each(uint64_t begin, uint64_t end, unsigned long count)
{
	return (double)(end - begin) / count;
}

/* hooked.c: what the hooks are on */
void hooked_prepare(void);
double hooked_fault(void);	/* one minor fault */
double hooked_mutex(void);	/* one contended acquisition, without its switches */
double hooked_rwsem_read(void);
double hooked_rwsem_write(void);
double hooked_free_mutex(void);	/* acquisition and release of an uncontended mutex */
double hooked_irq(void);	/* the shortest hard interrupt that there is */
double hooked_tick(void);	/* a local timer interrupt, with the softirqs after it */
double hooked_softirq(void);	/* a tasklet, from local_bh_enable() */
double hooked_reclaim(void);	/* one look for memory to free, of a group that has none */
double hooked_fork(void);	/* vfork(), exit and wait for one child */

/* The same, and nothing else, to be repeated by everywhere.c. */
void hooked_fault_rounds(unsigned int faults);
void hooked_fork_rounds(unsigned int children);
void hooked_mutex_rounds(unsigned int acquisitions);
void hooked_nothing_rounds(unsigned int rounds);	/* only the switches of these */
void pair_rounds(unsigned int switches);

/* pair.c: one switch and one wake-up, of two threads of one real-time priority */
double pair_switch(void);
double pair_switch_mapped(void);
double pair_switch_armed(void);
/* What other threads that are mapped and armed add to it. */
double pair_switch_beside(void);

/*
 * query.c: requests, with all groups unless the name says otherwise.  Those of the module
 * need query_connect() after each time that it was loaded: its family has a new id.
 */
void query_connect(void);
void query_disconnect(void);
double query_self(void);
double query_self_times(void);
double query_self_bare(void);	/* without any group */
double query_self_version_1(void);
double query_other(void);
double query_dump(void);	/* for one of many threads */
double query_dump_times(void);
double query_library(void);
double query_library_times(void);
double query_taskstats(void);
double query_schedstat(void);	/* /proc/thread-self/schedstat, kept open */
double query_map(void);		/* the sums of an eBPF program, by bpf() */
double query_record_size(void);	/* the memory for one thread, in bytes */

/* own.c: what a thread asks of itself */
double own_read(void);		/* taskrt_self_read() */
double own_get(void);
double own_get_times(void);
double own_window(void);
double own_clock(void);		/* clock_gettime(CLOCK_MONOTONIC) */
double own_cpu_clock(void);	/* clock_gettime(CLOCK_THREAD_CPUTIME_ID) */
double own_rusage(void);
double own_alert(void);		/* an alert, for the thread that raises it */

/* everywhere.c: one event, while every processor has as many of them */
double everywhere_switch(void);
double everywhere_fault(void);
double everywhere_fork(void);
double everywhere_mutex(void);

/* exit.c: what a listener adds to the end of a thread or of a process */
double exit_thread(void);
double exit_thread_times(void);
double exit_process(void);
double exit_process_times(void);
double exit_process_thread(void);	/* only the record of its thread is asked for */
double exit_thread_taskstats(void);
double exit_process_taskstats(void);

/* What that many listeners together add to the end of a thread. */
#define EXIT_LISTENERS_MAX	64
double exit_listeners(unsigned int listeners);
double exit_listeners_taskstats(unsigned int listeners);

/* steady.c: what one listener adds to the end of a thread, while they end on every processor */
double steady_exit(void);
double steady_exit_taskstats(void);

/* held.c: a process of HELD_THREADS threads that run */
#define HELD_THREADS	4096
double held_get(void);			/* a GET of the process, for each of its threads */
double held_get_taskstats(void);
/* The longest delay of a real-time thread of it, while its process is asked for, and not. */
double held_asked(void);
double held_asked_taskstats(void);
double held_alone(void);

#endif
