// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.13. */
#include <linux/hrtimer.h>

void feature(struct hrtimer_sleeper *sleeper);
void feature(struct hrtimer_sleeper *sleeper)
{
#ifndef TASKRT_CONTROL
	hrtimer_setup_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_sleeper_start_expires(sleeper, HRTIMER_MODE_ABS);
#endif
}
