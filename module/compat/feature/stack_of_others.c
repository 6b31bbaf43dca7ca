// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_trace_save_tsk() is exported to modules since 6.7 (7d672f40941a).  Until 6.10 the
 * unwinder warned of a task that is being woken, if a kretprobe had its function on the
 * stack (5120d167e21c).  Neither shows in the headers, so the version decides.
 */
#include <linux/stacktrace.h>
#include <linux/version.h>

unsigned int feature(struct task_struct *task, unsigned long *frames);
unsigned int feature(struct task_struct *task, unsigned long *frames)
{
#ifndef TASKRT_CONTROL
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#error too old
#endif
#endif
	return stack_trace_save(frames, 1, 0);
}
