/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_STATS_H
#define TASKRT_STATS_H

#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include "observe/wchan.h"
#include "task/process.h"

struct cgroup;
struct nlattr;

/* The view of a reader: its namespaces, and the format of its answers. */
struct stats_view {
	struct pid_namespace *pids;	/* ids are in this namespace */
	struct user_namespace *users;
	struct cgroup *cgroups;		/* ids of cgroups that are not below this are hidden */
	u64 valid;			/* TASKRT_VALID_* */
	const struct taskrt_measured *measured;
	u64 hidden;			/* values that the reader may not see */
	u64 coarse_ns;			/* times are rounded down to this, if > 1 */
	u32 version;
	u32 groups;			/* TASKRT_GROUP_* that are requested, and known here */
};

/* The parts of an aggregate, in a message.  A group that is not requested is NULL. */
struct stats_aggr {
	struct taskrt_stats *stats;	/* stats_size(view->version) bytes */
	struct taskrt_times *times;
	struct taskrt_counts *counts;
	struct taskrt_longests *longest;
	struct nlattr *nest;		/* contains all of these; the next put may extend it */
};

/*
 * The groups that any answer may have, and those that only an answer about one thread or process
 * may have: wchans, whose names take long to look up.  A dump would look up the names of many
 * threads under one RCU read lock, and the worker would keep all listeners waiting.
 */
#define STATS_GROUPS		(TOTALS_ALL & ~TASKRT_GROUP_SITES)
#define STATS_GROUPS_OF_ONE	(STATS_GROUPS | (WCHAN_KNOWN ? TASKRT_GROUP_SITES : 0))

/* Ids as the reader sees them; 0 if they are not in its namespace. */
struct stats_ids {
	u32 tid;
	u32 tgid;
	u32 ppid;
};

/* Ids of the initial namespace are read directly: a lookup takes three times the instructions. */
static inline u32 stats_pid(const struct stats_view *view, struct pid *pid)
{
	return likely(view->pids == &init_pid_ns) ? pid_nr(pid) : pid_nr_ns(pid, view->pids);
}

/* The ids of a task; a task that was reaped has none.  Context: RCU read lock held. */
struct stats_ids stats_ids_of(struct task_struct *task, const struct stats_view *view);

/* The version of the answer if a reader knows versions up to @asked; the size of a version. */
u32 stats_version(u32 asked);
u32 stats_size(u32 version);

/* These functions fill the aggregate from a sample.  Context: RCU read lock held. */
void stats_of_thread(const struct stats_aggr *aggr, const struct sample *sample,
		     struct task_struct *task, const struct stats_ids *ids,
		     const struct stats_view *view);
void stats_of_process(const struct stats_aggr *aggr, const struct sample *sample,
		      struct task_struct *leader, const struct stats_ids *ids,
		      const struct stats_view *view);

/* The totals of a process's children, with the identity of @parent. */
void stats_of_children(const struct stats_aggr *aggr, const struct sample *sample,
		       struct task_struct *parent, const struct stats_ids *ids,
		       const struct stats_view *view);

#endif /* TASKRT_STATS_H */
