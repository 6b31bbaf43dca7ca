/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_CLOCK_H
#define TASKRT_CLOCK_H

#include <linux/ktime.h>

/* CLOCK_MONOTONIC, in any context, the same on every CPU to a hair. */
static __always_inline u64 clock_now(void)
{
	return ktime_get_mono_fast_ns();
}

#endif /* TASKRT_CLOCK_H */
