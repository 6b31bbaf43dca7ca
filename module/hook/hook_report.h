/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of one hook, for readers, who need not know what a hook is. */
#ifndef TASKRT_HOOK_REPORT_H
#define TASKRT_HOOK_REPORT_H

#include <linux/types.h>

struct hook_report {
	const char *name;
	const char *kind;
	int status;		/* 0 attached, else why not */
	u64 hits;
	u64 misses;
};

#endif /* TASKRT_HOOK_REPORT_H */
