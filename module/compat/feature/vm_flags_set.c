// SPDX-License-Identifier: GPL-2.0-only
/* 6.3 made vm_flags const, and added functions that change it: bc292ab00f6c. */
#include <linux/mm.h>

void feature(struct vm_area_struct *vma);
void feature(struct vm_area_struct *vma)
{
#ifndef TASKRT_CONTROL
	vm_flags_set(vma, VM_DONTCOPY);
#else
	vma->vm_pgoff = VM_DONTCOPY;
#endif
}
