// SPDX-License-Identifier: GPL-2.0-only
/* A mapping in which the first touch of each page takes as long as SET_FAULT says. */
#include <linux/gfp.h>
#include <linux/mm.h>

#include "internal.h"

/*
 * What counts as major is what the kernel had to try again, because it has waited for the page
 * with the lock dropped.  Because there is no map_pages(), a kernel that holds the lock of the
 * VMA only does not come here.
 */
static bool is_tried_again(const struct vm_fault *vmf)
{
	if (!fault_flag_allow_retry_first(vmf->flags) || vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return false;
	mmap_read_unlock(vmf->vma->vm_mm);
	return true;
}

static vm_fault_t slow_fault(struct vm_fault *vmf)
{
	struct test_file *file = vmf->vma->vm_file->private_data;
	struct taskrt_test_delay delay;

	/*
	 * Must not take file->guard: a HOLD waits under it for the holder, and the holder
	 * may wait for a fault.  A test must not change these words while a thread faults.
	 */
	delay.how = READ_ONCE(file->fault.how);
	delay.major = READ_ONCE(file->fault.major);
	delay.ns = READ_ONCE(file->fault.ns);
	if (!delay.major || !(vmf->flags & FAULT_FLAG_TRIED))
		test_delay(file, delay.how, delay.ns);
	test_die_in_fault(vmf);
	if (delay.major && is_tried_again(vmf))
		return VM_FAULT_RETRY;
	vmf->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!vmf->page)
		return VM_FAULT_OOM;
	return 0;
}

static const struct vm_operations_struct slow_ops = {
	.fault = slow_fault,
};

int test_fault_mmap(struct file *filp, struct vm_area_struct *vma)
{
	vma->vm_ops = &slow_ops;
	return 0;
}
