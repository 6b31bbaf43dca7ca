/* SPDX-License-Identifier: GPL-2.0-only */
/* The status of one hook, for readers that need not know what a hook is. */
#ifndef TASKRT_HOOK_REPORT_H
#define TASKRT_HOOK_REPORT_H

#include <linux/types.h>

struct hook_report {
	const char *name;
	const char *kind;
	int status;		/* 0 if attached, otherwise the error */
	u64 hits;
	u64 misses;
};

#endif /* TASKRT_HOOK_REPORT_H */
