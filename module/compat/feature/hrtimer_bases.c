// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 7.3; before, linux/hrtimer.h has what is there, or includes it. */
#ifndef TASKRT_CONTROL
#include <linux/hrtimer_bases.h>
#else
#include <linux/hrtimer.h>
#endif

s64 feature(struct hrtimer_clock_base *base);
s64 feature(struct hrtimer_clock_base *base)
{
	return base->offset;
}
