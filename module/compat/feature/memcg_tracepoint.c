// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.15. */
#include <linux/memcontrol.h>
#ifndef TASKRT_CONTROL
#include <trace/events/memcg.h>
#endif

void feature(void (*probe)(void *, struct mem_cgroup *, int, unsigned long));
void feature(void (*probe)(void *, struct mem_cgroup *, int, unsigned long))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_count_memcg_events(probe);
#endif
}
