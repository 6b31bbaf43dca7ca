// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.19. */
#include <trace/events/lock.h>

void feature(void);
void feature(void)
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_contention_begin(NULL);
	check_trace_callback_type_contention_end(NULL);
#endif
}
