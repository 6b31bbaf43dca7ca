/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_STATS_H
#define TASKRT_STATS_H

#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include "task/process.h"

struct cgroup;

/* As whom, and how, a reader is told. */
struct stats_view {
	struct pid_namespace *pids;	/* ids are those seen from here */
	struct user_namespace *users;
	struct cgroup *cgroups;		/* of others than this and those below it no id is told */
	u64 valid;			/* what is known */
	const struct taskrt_measured *measured;
	u64 coarse_ns;			/* times are rounded down to this, if > 1 */
	u32 version;
	u32 groups;			/* TASKRT_GROUP_* that are asked for, and known here */
};

/* Where an answer goes: for each group that is not asked for, NULL. */
struct stats_room {
	struct taskrt_stats *stats;	/* stats_size(view->version) bytes */
	struct taskrt_times *times;
	struct taskrt_counts *counts;
	struct taskrt_longests *longest;
};

#define STATS_GROUPS	(TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS | TASKRT_GROUP_LONGEST)

/* Ids as the reader sees them; 0: it does not. */
struct stats_ids {
	u32 tid;
	u32 tgid;
	u32 ppid;
};

/* Those of a task that was not reaped yet.  RCU read lock held. */
struct stats_ids stats_ids_of(struct task_struct *task, const struct stats_view *view);

/* The newest version that a reader who knows @asked gets, and its size. */
u32 stats_version(u32 asked);
u32 stats_size(u32 version);

/* What follows fills the room; RCU read lock held. */
void stats_of_thread(const struct stats_room *room, const struct sample *sample,
		     struct task_struct *task, const struct stats_ids *ids,
		     const struct stats_view *view);
void stats_of_process(const struct stats_room *room, const struct sample *sample,
		      struct task_struct *leader, const struct stats_ids *ids,
		      const struct stats_view *view);

/* The children of a process: whose they are, and what was counted, is that of its stats. */
void stats_of_children(const struct stats_room *room, const struct sample *sample,
		       struct task_struct *parent, const struct stats_ids *ids,
		       const struct stats_view *view);

#endif /* TASKRT_STATS_H */
