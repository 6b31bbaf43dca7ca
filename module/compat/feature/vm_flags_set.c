// SPDX-License-Identifier: GPL-2.0-only
/* 6.3 made vm_flags constant, to be changed by functions: bc292ab00f6c. */
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
