// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 5.18. */
#include <linux/mm.h>

struct compact_control;

#include <trace/events/compaction.h>

void feature(void (*probe)(void *, struct compact_control *, unsigned long, unsigned long, bool));
void feature(void (*probe)(void *, struct compact_control *, unsigned long, unsigned long, bool))
{
#ifndef CONFIG_COMPACTION
	/* There is nothing to hook. */
#elif !defined(TASKRT_CONTROL)
	check_trace_callback_type_mm_compaction_begin(probe);
#else
	check_trace_callback_type_mm_compaction_begin((void *)probe);
#endif
}
