// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 7.0. */
#include <linux/mm.h>
#include <trace/events/vmscan.h>

void feature(void (*probe)(void *, gfp_t, int, struct mem_cgroup *));
void feature(void (*probe)(void *, gfp_t, int, struct mem_cgroup *))
{
#ifndef TASKRT_CONTROL
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin(probe);
#else
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin((void *)probe);
#endif
}
