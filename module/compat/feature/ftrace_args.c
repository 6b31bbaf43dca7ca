// SPDX-License-Identifier: GPL-2.0-only
/*
 * Upstream since 6.2: a function that ftrace calls gets the arguments and the stack pointer of
 * the traced one.  Where the configuration has no such ftrace, there are no such members.
 */
#include <linux/ftrace.h>

struct ftrace_regs;

unsigned long feature(struct ftrace_ops *ops, struct ftrace_regs *regs);
unsigned long feature(struct ftrace_ops *ops, struct ftrace_regs *regs)
{
#ifndef TASKRT_CONTROL
#ifndef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#error only with all registers
#endif
	return ftrace_regs_get_argument(regs, 2) + ftrace_regs_get_stack_pointer(regs) +
	       register_ftrace_function(ops);
#else
	return 0;
#endif
}
