// SPDX-License-Identifier: GPL-2.0-only
/* Upstream between 6.12 and 7.2. */
#include <linux/hrtimer.h>
#include <trace/events/timer.h>

void feature(void (*probe)(void *, struct hrtimer *, ktime_t));
void feature(void (*probe)(void *, struct hrtimer *, ktime_t))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_hrtimer_expire_entry(probe);
#else
	check_trace_callback_type_hrtimer_expire_entry((void *)probe);
#endif
}
