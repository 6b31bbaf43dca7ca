// SPDX-License-Identifier: GPL-2.0-only
/* The names of the bits of taskrt_stats.valid and .flags and of groups. */
#include <taskrt.h>

#include "common/field.h"

const struct field field_valid[] = {
	{ TASKRT_VALID_CPU_TIME, "cpu_time", "cpu_time_ns" },
	{ TASKRT_VALID_QUEUE_TIME, "queue_time", "queue_time_ns" },
	{ TASKRT_VALID_PAGE_FAULT_TIME, "page_fault_time", "page_fault_time_ns" },
	{ TASKRT_VALID_LOCK_TIME, "lock_time", "lock_contention_time_ns" },
	{ TASKRT_VALID_CLOCK, "clock",
	  "sample_time_ns, tracked_since_ns, tracked_time_ns, start_time_ns" },
	{ TASKRT_VALID_IDENTITY, "identity",
	  "tid, tgid, ppid, uid, gid, comm, flags, exit_code" },
	{ TASKRT_VALID_STATE, "state", "state" },
	{ TASKRT_VALID_THREADS, "threads", "threads, threads_gone" },
	{ TASKRT_VALID_CPU, "cpu", "cpu" },
	{ TASKRT_VALID_CGROUP, "cgroup", "cgroup" },
};

const size_t field_valid_count = sizeof(field_valid) / sizeof(field_valid[0]);

const struct field field_flags[] = {
	{ TASKRT_FLAG_KTHREAD, "kthread", NULL },
	{ TASKRT_FLAG_EXITED, "exited", NULL },
	{ TASKRT_FLAG_PREEXISTING, "preexisting", NULL },
	{ TASKRT_FLAG_COARSE, "coarse", NULL },
	{ TASKRT_FLAG_INCOMPLETE, "incomplete", NULL },
	{ TASKRT_FLAG_PENDING, "pending", NULL },
};

const size_t field_flags_count = sizeof(field_flags) / sizeof(field_flags[0]);

const struct field field_groups[] = {
	{ TASKRT_GROUP_TIMES, "times", NULL },
	{ TASKRT_GROUP_COUNTS, "counts", NULL },
	{ TASKRT_GROUP_LONGEST, "longest", NULL },
	{ TASKRT_GROUP_SITES, "sites", NULL },
};

const size_t field_groups_count = sizeof(field_groups) / sizeof(field_groups[0]);

uint64_t field_valid_all(void)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < field_valid_count; i++)
		all |= field_valid[i].bit;
	return all;
}
