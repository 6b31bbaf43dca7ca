/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TASKRT_STATS_H
#define TASKRT_STATS_H

#include <linux/pid_namespace.h>
#include <linux/taskrt.h>
#include "process.h"

/* As whom, and how, a reader is told. */
struct stats_view {
	struct pid_namespace *pids;	/* ids are those seen from here */
	struct user_namespace *users;
	u64 valid;			/* what is measured */
	u64 coarse_ns;			/* times are rounded down to this, if > 1 */
	u32 version;
};

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

/* RCU read lock held.  @stats has stats_size(view->version) bytes. */
void stats_of_thread(struct taskrt_stats *stats, const struct sample *sample,
		     struct task_struct *task, const struct stats_ids *ids,
		     const struct stats_view *view);
void stats_of_process(struct taskrt_stats *stats, const struct sample *sample,
		      struct task_struct *leader, const struct stats_ids *ids,
		      const struct stats_view *view);

/* The children of a process: whose they are, and what was counted, is that of its stats. */
void stats_of_children(struct taskrt_stats *stats, const struct sample *sample,
		       struct task_struct *parent, const struct stats_ids *ids,
		       const struct stats_view *view);

#endif /* TASKRT_STATS_H */
