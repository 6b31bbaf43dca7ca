// SPDX-License-Identifier: GPL-2.0-only
/* A mapping in which the first touch of each page takes as long as SET_FAULT says. */
#include <linux/gfp.h>
#include <linux/mm.h>

#include "internal.h"

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
	test_delay(file, delay.how, delay.ns);
	test_die_in_fault(vmf);
	vmf->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!vmf->page)
		return VM_FAULT_OOM;
	return delay.major ? VM_FAULT_MAJOR : 0;
}

static const struct vm_operations_struct slow_ops = {
	.fault = slow_fault,
};

int test_fault_mmap(struct file *filp, struct vm_area_struct *vma)
{
	vma->vm_ops = &slow_ops;
	return 0;
}
