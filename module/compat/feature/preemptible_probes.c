// SPDX-License-Identifier: GPL-2.0-only
/*
 * Upstream since 7.0: probes of tracepoints run under SRCU, with preemption on.  Earlier
 * kernels with this kind of guard have no tracepoint_srcu.
 */
#include <linux/srcu.h>
#include <linux/tracepoint.h>

void feature(void);
void feature(void)
{
#ifndef TASKRT_CONTROL
	guard(srcu_fast_notrace)(&tracepoint_srcu);
#else
	tracepoint_synchronize_unregister();
#endif
}
