/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long interrupts or preemption are off, by three instruments of the kernel:
 *
 *	tracer		the tracer preemptirqsoff: the longest section of all, the kernel's own
 *			included; where it ends, the module may be on the stack.  In whole us.
 *	sections	the events of preemptirq: the longest section that the module begins
 *	calls		the graph of functions: the longest call of a function of the module
 *			by the kernel with interrupts or preemption off, or in a softirq.  The
 *			others do not see what a hook does in there.
 *
 * Interrupts are no part of a section or a call, but they are one of what the tracer finds.
 * Each instrument takes some time itself, which is in its result; the resolution is 1 us,
 * except for most of the calls.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>

enum trace_kind { TRACE_TRACER, TRACE_SECTIONS, TRACE_CALLS, TRACE_KINDS };

struct trace_longest {
	uint64_t ns;			/* 0: there was none */
	uint64_t count;			/* how many were seen; 0 for the tracer */
	uint64_t lost;			/* events for which there was no room */
	char where[128];		/* where it begins */
	char by[64];			/* the innermost function of the module on the stack, or "" */
};

const char *trace_name(enum trace_kind kind);
/* Chooses the instrument; all but the tracer need the module. */
void trace_open(enum trace_kind kind);
void trace_close(void);
/* Around what is to be measured. */
void trace_begin(void);
void trace_end(struct trace_longest *longest);

#endif
