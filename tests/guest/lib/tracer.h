/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracers that the kernel itself has, for one CPU; an error ends the test. */
#ifndef TRACER_H
#define TRACER_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define TRACER_FOLDER	"/sys/kernel/tracing"

/* NULL: the kernel has it; or why it cannot be used. */
const char *tracer_lacking(const char *name);
/* Its threads run on that CPU only. */
void tracer_start(const char *name, unsigned int cpu);
/* There is no tracer any more. */
void tracer_stop(void);

/* Traces the calls of these functions, on all CPUs.  Return: 0: this kernel cannot. */
int tracer_start_functions(const char *name, const char *functions);
/* How many times one was called since then; the trace begins anew. */
unsigned int tracer_calls(const char *function);
/* When one was called, in ns of the trace's clock: the first times, no more than that; how many. */
unsigned int tracer_times(const char *function, uint64_t *at, unsigned int most);
void tracer_stop_functions(void);

/* The thread that this tracer has for the CPU; 0: there is none. */
pid_t tracer_thread(const char *name, unsigned int cpu);

/* A line of text in the trace of the caller's CPU, among the events there. */
void tracer_mark(const char *text);
/* Nothing is in the trace any more. */
void tracer_clear(void);
/* The trace of a CPU, a line for each event. */
FILE *tracer_open(unsigned int cpu);
/* Whose event that is; 0: it is none. */
pid_t tracer_pid(const char *line);

#endif
