// SPDX-License-Identifier: GPL-2.0-only
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/taskrt_page.h>
#include <linux/uaccess.h>
#include "accounting.h"
#include "compat/compat.h"
#include "device.h"
#include "observe/mapping.h"
#include "observe/recorder.h"
#include "policy/access.h"
#include "policy/coarse.h"

/* Mapped counters are exact, so revoke the mappings if times are to be rounded. */
static int device_coarse_set(const char *value, const struct kernel_param *parameter)
{
	int err = param_set_ulong(value, parameter);

	if (!err && coarse_ns > 1)
		mapping_revoke();
	return err;
}

static const struct kernel_param_ops coarse_ops = {
	.set = device_coarse_set,
	.get = param_get_ulong,
};

module_param_cb(coarse_ns, &coarse_ops, &coarse_ns, 0644);
MODULE_PARM_DESC(coarse_ns, "Round times down to this many nanoseconds for readers without CAP_PERFMON (0: exact)");

static void device_area_open(struct vm_area_struct *vma)
{
	mapping_open(vma->vm_private_data);
}

static void device_area_close(struct vm_area_struct *vma)
{
	mapping_close(vma->vm_private_data);
}

static const struct vm_operations_struct area_ops = {
	.open	= device_area_open,
	.close	= device_area_close,
};

/* Insert all pages at once, so that a read never causes a page fault. */
static int device_populate(struct vm_area_struct *vma, const struct mapping *m)
{
	unsigned long at = vma->vm_start;
	unsigned int i;
	int err = 0;

	for (i = 0; at < vma->vm_end && !err; i++, at += PAGE_SIZE)
		err = vm_insert_page(vma, at, mapping_page(m, i));
	return err;
}

static int device_map(struct vm_area_struct *vma)
{
	struct taskrt_measured measured;
	struct mapping *m;
	int err;

	if (!accounting_is_on())
		return -ENODATA;
	/*
	 * A child that shares the address space may map its counters, and then execute a
	 * set-user-id program.  Without the exec hook, the mapping would stay, and the parent
	 * could read the exact times of that program.
	 */
	if (!accounting_sees_execs())
		return -EOPNOTSUPP;
	/* Refuse before mapping_get(), which may make the thread's mapping inexact. */
	if (!coarse_permits_mapping())
		return -EPERM;
	accounting_measured_page(&measured);
	m = mapping_get(&measured, access_own_exact());
	if (IS_ERR(m))
		return PTR_ERR(m);
	/* Check again: if coarse_ns is set after this, mapping_revoke() sees this mapping. */
	err = coarse_permits_mapping() ? device_populate(vma, m) : -EPERM;
	if (err) {
		mapping_close(m);
		return err;
	}
	vma->vm_private_data = m;
	vma->vm_ops = &area_ops;
	return 0;
}

/*
 * Maps the counters of the calling thread.  With VM_DONTCOPY a child does not inherit the pages,
 * which belong to its parent.  VM_IO keeps madvise() from clearing VM_DONTCOPY.
 */
static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	int err;

	if (vma->vm_pgoff || vma->vm_end - vma->vm_start > mapping_size() ||
	    !(vma->vm_flags & VM_MAYSHARE) || (vma->vm_flags & (VM_WRITE | VM_EXEC)))
		return -EINVAL;
	compat_vm_flags_change(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			       VM_MAYWRITE | VM_MAYEXEC);
	/* Only try: this holds mmap_lock, for which a task that switches accounting may wait. */
	if (!accounting_tryget())
		return -EAGAIN;
	err = device_map(vma);
	accounting_put();
	return err;
}

/* If the sizes of the request differ, the bytes that only one side knows must be 0. */
static int device_alert(const void __user *from, size_t size)
{
	struct taskrt_alert_request request;
	int err = copy_struct_from_user(&request, sizeof(request), from, size);

	if (err)
		return err;
	if (strnlen(request.tag, sizeof(request.tag)) == sizeof(request.tag))
		return -EINVAL;
	if (!accounting_tryget())
		return -EAGAIN;
	err = recorder_alert(&request);
	accounting_put();
	return err;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	/* The number is compiled into programs.  clang 14 rejects it in static_assert(). */
	BUILD_BUG_ON(TASKRT_IOC_ALERT != 0x4050f701);
	if (_IOC_TYPE(command) != _IOC_TYPE(TASKRT_IOC_ALERT))
		return -ENOTTY;
	switch (_IOC_NR(command)) {
	case _IOC_NR(TASKRT_IOC_ALERT):
		return device_alert((const void __user *)argument, _IOC_SIZE(command));
	default:
		return -ENOTTY;
	}
}

static const struct file_operations device_ops = {
	.owner		= THIS_MODULE,
	.mmap		= device_mmap,
	.unlocked_ioctl	= device_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.llseek		= noop_llseek,
};

static struct miscdevice device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "taskrt",
	.mode	= 0666,
	.fops	= &device_ops,
};

int device_init(void)
{
	return misc_register(&device);
}

void device_exit(void)
{
	misc_deregister(&device);
}
