// SPDX-License-Identifier: GPL-2.0-only
/* A sample, as the wire's structure: always the newest, converted down. */
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>
#include "stats.h"

/* Released layouts never change. */
static_assert(offsetof(struct taskrt_stats, cpu_time_ns) == 16);
static_assert(offsetof(struct taskrt_stats, page_fault_time_ns) == TASKRT_STATS_SIZE_V1);
static_assert(offsetof(struct taskrt_stats, sample_time_ns) == TASKRT_STATS_SIZE_V2);
static_assert(offsetof(struct taskrt_stats, tid) == 80);
static_assert(offsetof(struct taskrt_stats, comm) == 112);
static_assert(offsetof(struct taskrt_stats, states_ns) == 144);
static_assert(offsetof(struct taskrt_stats, voluntary_switches) == 240);
static_assert(offsetof(struct taskrt_stats, lock_time_ns) == 296);
static_assert(offsetof(struct taskrt_stats, longest_state) == 376);
static_assert(sizeof(struct taskrt_stats) == TASKRT_STATS_SIZE_V3);

/* The engine's numbers are the wire's. */
static_assert((int)STATE_RUNNING == TASKRT_STATE_RUNNING);
static_assert((int)STATE_BLOCKED_LOCK == TASKRT_STATE_BLOCKED_LOCK);
static_assert((int)STATE_SLEEPING_FUTEX == TASKRT_STATE_SLEEPING_FUTEX);
static_assert((int)STATE_STOPPED == TASKRT_STATE_STOPPED);
static_assert((int)STATE_EXITED == TASKRT_STATE_EXITED);
static_assert((int)NR_STATES == TASKRT_NR_STATES);
static_assert((int)LOCK_RT_MUTEX == TASKRT_LOCK_RT_MUTEX);
static_assert((int)NR_LOCKS == TASKRT_NR_LOCKS);
static_assert(sizeof(struct record_longest) == sizeof(struct taskrt_longest));
static_assert(offsetof(struct record_longest, at) == offsetof(struct taskrt_longest, at_ns));

static const u32 sizes[] = {
	[1] = TASKRT_STATS_SIZE_V1,
	[2] = TASKRT_STATS_SIZE_V2,
	[3] = TASKRT_STATS_SIZE_V3,
};

static_assert(ARRAY_SIZE(sizes) == TASKRT_STATS_VERSION + 1);

/* All bits that a version has fields for. */
static const u64 has[] = {
	[1] = TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME,
	[2] = TASKRT_VALID_CPU_TIME | TASKRT_VALID_QUEUE_TIME |
	      TASKRT_VALID_PAGE_FAULT_TIME | TASKRT_VALID_LOCK_TIME,
	[3] = ~0ULL,
};

u32 stats_version(u32 asked)
{
	return min_t(u32, asked, TASKRT_STATS_VERSION);
}

u32 stats_size(u32 version)
{
	return sizes[version];
}

static void coarsen(u64 *times, size_t count, u64 to)
{
	u64 rest;
	size_t i;

	for (i = 0; i < count; i++) {
		div64_u64_rem(times[i], to, &rest);
		times[i] -= rest;
	}
}

/* Rounds all times down: a total that only grows still does. */
static void coarsen_all(struct taskrt_stats *s, u64 to)
{
	coarsen(&s->cpu_time_ns, 2, to);
	if (s->version < 2)
		return;
	coarsen(&s->page_fault_time_ns, 2, to);
	if (s->version < 3)
		return;
	s->flags |= TASKRT_FLAG_COARSE;
	coarsen(&s->sample_time_ns, 4, to);
	coarsen(s->states_ns, TASKRT_NR_STATES, to);
	coarsen(&s->minor_fault_time_ns, 2, to);
	coarsen(s->lock_time_ns, TASKRT_NR_LOCKS, to);
	coarsen(&s->longest_state[0].ns, 2 * TASKRT_NR_STATES, to);
	coarsen(&s->longest_fault.ns, 2, to);
	coarsen(&s->longest_lock.ns, 2, to);
}

static void fill_sample(struct taskrt_stats *s, const struct sample *sample)
{
	s->sample_time_ns = sample->at;
	s->tracked_since_ns = sample->tracked_since;
	s->tracked_time_ns = sample->totals.tracked_ns;
	s->threads = sample->threads;
	s->threads_gone = sample->threads_gone;
	if (sample->late)
		s->flags |= TASKRT_FLAG_LATE;
	if (sample->incomplete)
		s->flags |= TASKRT_FLAG_INCOMPLETE;
}

static void fill_longest(struct taskrt_longest *to, const struct record_longest *from)
{
	to->ns = from->ns;
	to->at_ns = from->at;
}

static void fill_totals(struct taskrt_stats *s, const struct totals *t)
{
	int i;

	for (i = 0; i < NR_STATES; i++) {
		s->states_ns[i] = t->states[i].ns;
		fill_longest(&s->longest_state[i], &t->states[i].longest);
	}
	for (i = 0; i < NR_LOCKS; i++) {
		s->lock_time_ns[i] = t->lock_ns[i];
		s->lock_count[i] = t->lock_count[i];
	}
	fill_longest(&s->longest_fault, &t->fault_longest);
	fill_longest(&s->longest_lock, &t->lock_longest);
	s->minor_fault_time_ns = t->fault_split_ns[0];
	s->major_fault_time_ns = t->fault_split_ns[1];
	s->voluntary_switches = t->nvcsw;
	s->involuntary_switches = t->nivcsw;
	s->wakeups = t->wakeups;
	s->minor_faults = t->min_flt;
	s->major_faults = t->maj_flt;
}

struct stats_ids stats_ids_of(struct task_struct *task, const struct stats_view *view)
{
	return (struct stats_ids){
		.tid = task_pid_nr_ns(task, view->pids),
		.tgid = task_tgid_nr_ns(task, view->pids),
		.ppid = task_ppid_nr_ns(task, view->pids),
	};
}

static void fill_identity(struct taskrt_stats *s, struct task_struct *task,
			  const struct stats_ids *ids, const struct stats_view *view)
{
	const struct cred *cred = __task_cred(task);

	s->tgid = ids->tgid;
	s->ppid = ids->ppid;
	s->uid = from_kuid_munged(view->users, cred->uid);
	s->gid = from_kgid_munged(view->users, cred->gid);
	s->start_time_ns = task->start_time;
	strscpy_pad(s->comm, task->comm, sizeof(s->comm));
	if (task->flags & PF_KTHREAD)
		s->flags |= TASKRT_FLAG_KTHREAD;
}

static void clear(struct taskrt_stats *s, u32 version)
{
	/* A constant size is cleared by words. */
	if (likely(version == TASKRT_STATS_VERSION))
		memset(s, 0, sizeof(*s));
	else
		memset(s, 0, sizes[version]);
}

/* All that a thread and a process have in common, of the version that is asked for. */
static void fill(struct taskrt_stats *s, const struct sample *sample,
		 struct task_struct *task, const struct stats_ids *ids,
		 const struct stats_view *view, u64 not_here)
{
	clear(s, view->version);
	s->version = view->version;
	s->size = sizes[view->version];
	s->valid = view->valid & has[view->version] & ~not_here;
	s->cpu_time_ns = sample->totals.cpu_ns;
	s->queue_time_ns = sample->totals.queue_ns;
	if (view->version < 2)
		return;
	s->page_fault_time_ns = sample->totals.fault_ns;
	s->lock_contention_time_ns = sample->totals.lock_contention_ns;
	if (view->version < 3)
		return;
	fill_sample(s, sample);
	fill_totals(s, &sample->totals);
	fill_identity(s, task, ids, view);
}

void stats_of_thread(struct taskrt_stats *s, const struct sample *sample,
		     struct task_struct *task, const struct stats_ids *ids,
		     const struct stats_view *view)
{
	fill(s, sample, task, ids, view, TASKRT_VALID_THREADS);
	if (view->version >= 3) {
		s->tid = ids->tid;
		s->state = sample->state;
		if (sample->state == STATE_EXITED) {
			s->flags |= TASKRT_FLAG_EXITED;
			s->exit_code = task->exit_code;
		}
	}
	if (unlikely(view->coarse_ns > 1))
		coarsen_all(s, view->coarse_ns);
}

static u32 process_exit_code(const struct task_struct *leader)
{
	const struct signal_struct *signal = leader->signal;

	return signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
}

void stats_of_process(struct taskrt_stats *s, const struct sample *sample,
		      struct task_struct *leader, const struct stats_ids *ids,
		      const struct stats_view *view)
{
	fill(s, sample, leader, ids, view, TASKRT_VALID_STATE);
	if (view->version >= 3 && !sample->threads) {
		s->flags |= TASKRT_FLAG_EXITED;
		s->exit_code = process_exit_code(leader);
	}
	if (unlikely(view->coarse_ns > 1))
		coarsen_all(s, view->coarse_ns);
}

void stats_of_children(struct taskrt_stats *s, const struct sample *sample,
		       struct task_struct *parent, const struct stats_ids *ids,
		       const struct stats_view *view)
{
	fill(s, sample, parent, ids, view, TASKRT_VALID_STATE);
	if (unlikely(view->coarse_ns > 1))
		coarsen_all(s, view->coarse_ns);
}
