// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_get_from_id() is exported to modules since 5.14 (6b658c4863c1).  Until 6.0 it also
 * accepted the id of a file (fixed by df02452f3df0), and the headers do not show whether a
 * kernel has that fix.  Therefore the version decides: all kernels from 6.1 on have the fix,
 * and resolve the id in the asker's cgroup namespace (4534dee94180).
 */
#include <linux/cgroup.h>
#include <linux/version.h>

struct cgroup *feature(u64 id);
struct cgroup *feature(u64 id)
{
#ifndef TASKRT_CONTROL
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error too old
#endif
	return cgroup_get_from_id(id);
#else
	return NULL;
#endif
}
