// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_get_from_id() is for modules since 5.14: 6b658c4863c1.  But it took a file for a
 * cgroup until 6.0, df02452f3df0, and of whether that was mended the headers say nothing.
 * All from 6.1 on are, and look at the asker's namespace: 4534dee94180.
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
