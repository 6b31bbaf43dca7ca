// SPDX-License-Identifier: GPL-2.0-only
/* Converts a sample to the structures of the wire.  What was not requested is not computed. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "compat/cgroups.h"
#include "netlink/stats.h"
#include "task/delays.h"

static const u32 sizes[] = {
	[1] = TASKRT_STATS_SIZE_V1,
	[2] = TASKRT_STATS_SIZE_V2,
	[3] = TASKRT_STATS_SIZE_V3,
};

static_assert(ARRAY_SIZE(sizes) == TASKRT_STATS_VERSION + 1);

/* The bits of valid for which a version has fields. */
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

static u64 stats_coarse(u64 ns, u64 to)
{
	u64 rest;

	div64_u64_rem(ns, to, &rest);
	return ns - rest;
}

static void stats_coarsen(u64 *times, size_t count, u64 to)
{
	for (; count--; times++)
		*times = stats_coarse(*times, to);
}

static u64 stats_sum_rounded(const u64 *ns, int n, u64 to)
{
	u64 sum = 0;

	for (; n--; ns++)
		sum += stats_coarse(*ns, to);
	return sum;
}

/* Rounds the time in each state, and the time before tracking, which is in no state. */
static u64 stats_queue_rounded(const struct totals *t, u64 to)
{
	u64 before = t->queue_ns, sum = 0;
	int i;

	for (i = 0; i < NR_STATES; i++) {
		if (!record_queued(i))
			continue;
		before -= t->states_ns[i];
		sum += stats_coarse(t->states_ns[i], to);
	}
	return sum + stats_coarse(before, to);
}

/*
 * All times are rounded down to the same unit, and sums are recomputed from the rounded parts, so
 * that totals stay monotonic and parts still add up.
 */
static void stats_coarsen_stats(struct taskrt_stats *s, const struct totals *t, u64 to)
{
	stats_coarsen(&s->cpu_time_ns, 1, to);
	if (s->valid & TASKRT_VALID_QUEUE_TIME)
		s->queue_time_ns = stats_queue_rounded(t, to);
	if (s->version < 2)
		return;
	stats_coarsen(&s->page_fault_time_ns, 1, to);
	if (s->valid & TASKRT_VALID_LOCK_TIME)
		s->lock_contention_time_ns = stats_sum_rounded(t->locks_ns, NR_LOCKS, to);
	if (s->version < 3)
		return;
	s->flags |= TASKRT_FLAG_COARSE;
	stats_coarsen(&s->sample_time_ns, 4, to);
	s->tracked_time_ns = stats_sum_rounded(t->states_ns, NR_STATES, to);
}

static void stats_coarsen_values(u64 *values, u64 to)
{
	static const u8 times[] = {
		TASKRT_VALUE_MINOR_FAULT_NS, TASKRT_VALUE_MAJOR_FAULT_NS,
		TASKRT_VALUE_USER_NS, TASKRT_VALUE_SYSTEM_NS,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(times); i++)
		stats_coarsen(&values[times[i]], 1, to);
}

static void stats_coarsen_all(const struct stats_aggr *aggr, const struct totals *t, u64 to)
{
	stats_coarsen_stats(aggr->stats, t, to);
	if (aggr->times) {
		u64 *lock_ns = &aggr->times->timers_ns[TASKRT_TIMER_LOCK];

		stats_coarsen(aggr->times->states_ns, sizeof(*aggr->times) / sizeof(u64), to);
		if (*lock_ns)
			*lock_ns = stats_sum_rounded(t->locks_ns, NR_LOCKS, to);
	}
	if (aggr->counts)
		stats_coarsen_values(aggr->counts->values, to);
	if (aggr->longest)
		stats_coarsen(&aggr->longest->states[0].ns, sizeof(*aggr->longest) / sizeof(u64),
			      to);
}

/* The arrays of a group are longer than the data: the rest is 0, and so are unmeasured elements. */
static __always_inline void stats_fill_array(void *to, int length, const void *from, int n,
					     size_t element, u64 measured)
{
	u64 holes = GENMASK_ULL(n - 1, 0) & ~measured;

	memcpy(to, from, n * element);
	memset(to + n * element, 0, (length - n) * element);
	for (; holes; holes &= holes - 1)
		memset(to + __ffs64(holes) * element, 0, element);
}

#define FILL(to, from, measured)						\
	stats_fill_array(to, ARRAY_SIZE(to), from, ARRAY_SIZE(from), sizeof(*(to)), measured)

static void stats_fill_times(struct taskrt_times *to, const struct totals *t,
			     const struct taskrt_measured *measured)
{
	FILL(to->states_ns, t->states_ns, measured->states);
	FILL(to->timers_ns, t->timers_ns, measured->timers);
	FILL(to->locks_ns, t->locks_ns, measured->locks);
}

static void stats_fill_counts(struct taskrt_counts *to, const struct totals *t,
			      const struct taskrt_measured *measured)
{
	FILL(to->states, t->states, measured->states);
	FILL(to->timers, t->timers, measured->timers);
	FILL(to->locks, t->locks, measured->locks);
	FILL(to->values, t->values, measured->values);
}

static_assert(sizeof(struct taskrt_longest) == sizeof(struct record_longest));
static_assert(offsetof(struct taskrt_longest, at_ns) == offsetof(struct record_longest, at));

static void stats_fill_longests(struct taskrt_longests *to, const struct totals *t,
				const struct taskrt_measured *measured)
{
	int i;

	FILL(to->states, t->longest_states, measured->states);
	memset(to->timers, 0, sizeof(to->timers));
	copy_unrolled for (i = 0; i < NR_RECORD_TIMERS; i++)
		if (measured->timers & BIT(record_timer_number(i)))
			memcpy(&to->timers[record_timer_number(i)], &t->longest_timers[i],
			       sizeof(*to->timers));
}

static void stats_fill_groups(const struct stats_aggr *aggr, const struct totals *t,
			      const struct taskrt_measured *measured)
{
	if (aggr->times)
		stats_fill_times(aggr->times, t, measured);
	if (aggr->counts)
		stats_fill_counts(aggr->counts, t, measured);
	if (aggr->longest)
		stats_fill_longests(aggr->longest, t, measured);
}

static void stats_fill_sample(struct taskrt_stats *s, const struct sample *sample)
{
	s->sample_time_ns = sample->at;
	s->tracked_since_ns = sample->tracked_since;
	s->tracked_time_ns = sample->totals.tracked_ns;
	s->threads = sample->threads;
	s->threads_gone = sample->threads_gone;
	if (sample->preexisting)
		s->flags |= TASKRT_FLAG_PREEXISTING;
	if (sample->incomplete)
		s->flags |= TASKRT_FLAG_INCOMPLETE;
	if (sample->pending)
		s->flags |= TASKRT_FLAG_PENDING;
	if (sample->cpu >= 0)
		s->cpu = sample->cpu;
	else
		s->valid &= ~TASKRT_VALID_CPU;
}

/* Fast in the initial namespace, like stats_pid().  A task always has a valid user and group. */
static u32 stats_uid(const struct stats_view *view, kuid_t uid)
{
	return likely(view->users == &init_user_ns) ? __kuid_val(uid) :
						      from_kuid_munged(view->users, uid);
}

static u32 stats_gid(const struct stats_view *view, kgid_t gid)
{
	return likely(view->users == &init_user_ns) ? __kgid_val(gid) :
						      from_kgid_munged(view->users, gid);
}

/*
 * A reaped task has no id, and its parent must not be read.  An exec by another thread may change
 * the id of the task.  So thread_pid is read once, for both tid and ppid.
 */
struct stats_ids stats_ids_of(struct task_struct *task, const struct stats_view *view)
{
	struct pid *tid = READ_ONCE(task->thread_pid);
	struct task_struct *parent = tid ? rcu_dereference(task->real_parent) : NULL;

	return (struct stats_ids){
		.tid = stats_pid(view, tid),
		.tgid = stats_pid(view, task_tgid(task)),
		.ppid = parent ? stats_pid(view, task_tgid(parent)) : 0,
	};
}

/* A cgroup outside the reader's cgroup namespace has no id for the reader. */
static void stats_fill_cgroup(struct taskrt_stats *s, struct task_struct *task,
			      const struct stats_view *view)
{
	if (!(s->valid & TASKRT_VALID_CGROUP))
		return;
	s->cgroup = cgroups_id_of(task, view->cgroups);
	if (!s->cgroup)
		s->valid &= ~TASKRT_VALID_CGROUP;
}

static_assert(sizeof_field(struct taskrt_stats, comm) >= TASK_COMM_LEN);

/* Like strscpy(), whose checks take longer than the copy.  The rest of @to is 0 already. */
static void stats_fill_comm(char *to, const char *from)
{
	char c;
	int i;

	for (i = 0; i < TASK_COMM_LEN - 1 && (c = READ_ONCE(from[i])); i++)
		to[i] = c;
}

static void stats_fill_identity(struct taskrt_stats *s, struct task_struct *task,
				const struct stats_ids *ids, const struct stats_view *view)
{
	const struct cred *cred = __task_cred(task);

	s->tgid = ids->tgid;
	s->ppid = ids->ppid;
	s->uid = stats_uid(view, cred->uid);
	s->gid = stats_gid(view, cred->gid);
	s->start_time_ns = task->start_time;
	stats_fill_comm(s->comm, task->comm);
	if (task->flags & PF_KTHREAD)
		s->flags |= TASKRT_FLAG_KTHREAD;
	stats_fill_cgroup(s, task, view);
}

static void stats_clear(struct taskrt_stats *s, u32 version)
{
	/* With a constant size, the compiler clears it inline. */
	if (likely(version == TASKRT_STATS_VERSION))
		memset(s, 0, sizeof(*s));
	else
		memset(s, 0, sizes[version]);
}

/* Fields that are not valid stay 0. */
static void stats_fill_sums(struct taskrt_stats *s, const struct totals *t)
{
	if (s->valid & TASKRT_VALID_CPU_TIME)
		s->cpu_time_ns = t->cpu_ns;
	if (s->valid & TASKRT_VALID_QUEUE_TIME)
		s->queue_time_ns = t->queue_ns;
	if (s->valid & TASKRT_VALID_PAGE_FAULT_TIME)
		s->page_fault_time_ns = t->timers_ns[TASKRT_TIMER_FAULT];
	if (s->valid & TASKRT_VALID_LOCK_TIME)
		s->lock_contention_time_ns = t->timers_ns[TASKRT_TIMER_LOCK];
}

/*
 * Delays are measured for a sample if the kernel counts them for each of its tasks.  For a sample
 * without tasks, such as of a process without children, @task decides.
 */
static struct taskrt_measured stats_measured(const struct sample *sample,
					     const struct task_struct *task,
					     const struct stats_view *view)
{
	const bool any = sample->threads || sample->threads_gone;
	struct taskrt_measured measured = *view->measured;

	/* These may change at any time, even while accounting is held. */
	measured.locks = READ_ONCE(view->measured->locks);
	measured.timers = READ_ONCE(view->measured->timers);
	measured.values = READ_ONCE(view->measured->values) & ~view->hidden;
	if ((any || delays_counted(task)) && !sample->totals.delays_unknown &&
	    !sample->queue_unknown)
		measured.timers |= DELAYS_MEASURED;
	return measured;
}

/* Fills in what all entities have.  @not_here: bits of valid that this entity does not have. */
static void stats_fill(const struct stats_aggr *aggr, const struct sample *sample,
		       struct task_struct *task, const struct stats_ids *ids,
		       const struct stats_view *view, u64 not_here)
{
	const struct taskrt_measured measured = stats_measured(sample, task, view);
	struct taskrt_stats *s = aggr->stats;

	stats_clear(s, view->version);
	s->version = view->version;
	s->size = sizes[view->version];
	s->valid = view->valid & has[view->version] & ~not_here;
	if (sample->queue_unknown)
		s->valid &= ~TASKRT_VALID_QUEUE_TIME;
	stats_fill_sums(s, &sample->totals);
	stats_fill_groups(aggr, &sample->totals, &measured);
	if (view->version < 3)
		return;
	s->measured = measured;
	stats_fill_sample(s, sample);
	stats_fill_identity(s, task, ids, view);
}

void stats_of_thread(const struct stats_aggr *aggr, const struct sample *sample,
		     struct task_struct *task, const struct stats_ids *ids,
		     const struct stats_view *view)
{
	struct taskrt_stats *s = aggr->stats;

	stats_fill(aggr, sample, task, ids, view, TASKRT_VALID_THREADS);
	if (view->version >= 3) {
		s->entity = TASKRT_ENTITY_THREAD;
		s->tid = ids->tid;
		if (s->valid & TASKRT_VALID_STATE)
			s->state = sample->state;
		if (sample->state == TASKRT_STATE_EXITED) {
			s->flags |= TASKRT_FLAG_EXITED;
			s->exit_code = task->exit_code;
		}
	}
	if (unlikely(view->coarse_ns > 1))
		stats_coarsen_all(aggr, &sample->totals, view->coarse_ns);
}

static u32 stats_process_exit_code(const struct task_struct *leader)
{
	const struct signal_struct *signal = leader->signal;

	return signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
}

void stats_of_process(const struct stats_aggr *aggr, const struct sample *sample,
		      struct task_struct *leader, const struct stats_ids *ids,
		      const struct stats_view *view)
{
	struct taskrt_stats *s = aggr->stats;

	stats_fill(aggr, sample, leader, ids, view, TASKRT_VALID_STATE);
	if (view->version >= 3) {
		s->entity = TASKRT_ENTITY_PROCESS;
		/* Untracked threads are not in sample->threads: 0 does not mean that none lives. */
		if (!sample->threads && !atomic_read(&leader->signal->live)) {
			s->flags |= TASKRT_FLAG_EXITED;
			s->exit_code = stats_process_exit_code(leader);
		}
	}
	if (unlikely(view->coarse_ns > 1))
		stats_coarsen_all(aggr, &sample->totals, view->coarse_ns);
}

void stats_of_children(const struct stats_aggr *aggr, const struct sample *sample,
		       struct task_struct *parent, const struct stats_ids *ids,
		       const struct stats_view *view)
{
	stats_fill(aggr, sample, parent, ids, view, TASKRT_VALID_STATE | TASKRT_VALID_CGROUP);
	if (view->version >= 3)
		aggr->stats->entity = TASKRT_ENTITY_CHILDREN;
	if (unlikely(view->coarse_ns > 1))
		stats_coarsen_all(aggr, &sample->totals, view->coarse_ns);
}
