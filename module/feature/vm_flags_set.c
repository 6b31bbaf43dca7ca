// SPDX-License-Identifier: GPL-2.0-only
/* 6.3 made vm_flags constant, to be changed by functions: bc292ab00f6c. */
#include <linux/mm.h>

void set(struct vm_area_struct *vma);
void set(struct vm_area_struct *vma)
{
	vm_flags_set(vma, VM_DONTCOPY);
}
