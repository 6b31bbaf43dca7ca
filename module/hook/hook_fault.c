// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times page faults from the entry of handle_mm_fault() to its return, with a kretprobe, where
 * hook_fault_count.c does not work.  A task may sleep in the function for minutes.
 */
#include <linux/mm.h>
#include "hook/hook.h"
#include "hook/hook_fault.h"
#include "hook/probes.h"

struct fault {
	unsigned long maj_flt;
	bool retry_is_major;
};

static int hook_fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const unsigned int flags = regs_get_kernel_argument(regs, 2);
	struct thread *t = thread_of_cpu(current);
	struct fault *fault = (struct fault *)ri->data;

	if (unlikely(!t)) {
		hook_miss(HOOK_HANDLE_MM_FAULT);
		return 1;
	}
	if (unlikely(!kretprobe_group_enter(&hook_fault, t)))
		return 1;
	hook_hit(HOOK_HANDLE_MM_FAULT);
	fault->maj_flt = current->maj_flt;
	fault->retry_is_major = !compat_fault_under_vma_lock(flags);
	hook_fault_begin(t, (void *)regs_get_kernel_argument(regs, 0),
			 regs_get_kernel_argument(regs, 1), flags);
	return 0;
}

/*
 * After VM_FAULT_RETRY, the kernel handles the fault again, and counts it as major, unless this try
 * held only the lock of the VMA.
 */
static bool hook_fault_is_major(const struct fault *fault, vm_fault_t result)
{
	return (result & VM_FAULT_MAJOR) || current->maj_flt != fault->maj_flt ||
	       ((result & VM_FAULT_RETRY) && fault->retry_is_major);
}

static int hook_fault_exit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct thread *t = thread_of_cpu(current);

	if (likely(t))
		hook_fault_end(t, hook_fault_is_major((struct fault *)ri->data, (__force vm_fault_t)
						      regs_return_value(regs)), false);
	kretprobe_group_leave(&hook_fault);
	return 0;
}

struct kretprobe_group hook_fault = {
	.symbols = { "handle_mm_fault" },
	.on_entry = hook_fault_entry,
	.on_exit = hook_fault_exit,
	.data_size = sizeof(struct fault),
	.id = HOOK_HANDLE_MM_FAULT,
	.fewest = 2048,
	.one_in = 16,
};
