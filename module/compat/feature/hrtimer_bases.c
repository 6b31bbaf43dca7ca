// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 7.3; before, linux/hrtimer.h has the clock bases, or includes them. */
#include <linux/hrtimer.h>
#ifndef TASKRT_CONTROL
#include <linux/hrtimer_bases.h>
#endif

ktime_t feature(const struct hrtimer *timer);
ktime_t feature(const struct hrtimer *timer)
{
	return hrtimer_get_expires(timer);
}
