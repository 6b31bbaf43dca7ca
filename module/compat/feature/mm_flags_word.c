// SPDX-License-Identifier: GPL-2.0-only
/* Upstream since 6.18; before, mm->flags was an unsigned long. */
#include <linux/mm_types.h>

unsigned long feature(struct mm_struct *mm);
unsigned long feature(struct mm_struct *mm)
{
#ifndef TASKRT_CONTROL
	return __mm_flags_get_word(mm);
#else
	return mm->total_vm;
#endif
}
