// SPDX-License-Identifier: GPL-2.0-only
#include "task/throttle.h"

#ifdef COMPAT_THROTTLES_GROUPS
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include "compat/clock.h"

#define BUCKET_BITS	6
#define NR_BUCKETS	(1 << BUCKET_BITS)
#define NR_WAYS		8
#define IDLE_NS		(10ULL * NSEC_PER_SEC)
#define STUCK_NS	(60ULL * NSEC_PER_SEC)

struct throttle_clock {
	u32 seq;
	u32 depth;		/* how many quotas throttle the group; 0: the clock stands */
	u64 ns;			/* its time at @since */
	u64 since;		/* when it last started or stopped */
	u64 ran;		/* how long it ran before it stopped; 0: it runs */
};

/* The groups have a cache line of their own, because most lookups find none. */
struct throttle_bucket {
	const struct task_group *groups[NR_WAYS];
	struct throttle_clock clocks[NR_WAYS];
} __aligned(64);

bool throttle_met __read_mostly;

static DEFINE_PER_CPU(struct throttle_bucket *, throttle_table);

static struct throttle_bucket *throttle_bucket(unsigned int cpu, const struct task_group *group)
{
	return per_cpu(throttle_table, cpu) + hash_ptr(group, BUCKET_BITS);
}

static struct throttle_clock *throttle_find(struct throttle_bucket *bucket,
					    const struct task_group *group)
{
	int i;

	for (i = 0; i < NR_WAYS; i++)
		if (READ_ONCE(bucket->groups[i]) == group)
			return &bucket->clocks[i];
	return NULL;
}

static void throttle_change_begin(struct throttle_clock *clock)
{
	shared_count(&clock->seq);
	smp_wmb();	/* odd before the first change; pairs with throttle_read() */
}

static void throttle_change_end(struct throttle_clock *clock)
{
	smp_wmb();	/* even after the last change; pairs with throttle_read() */
	shared_count(&clock->seq);
}

/* @now may be slightly in the past, when a clock that stands now was still running. */
static u64 throttle_now(const struct throttle_clock *clock, u32 depth, u64 now)
{
	const u64 ns = READ_ONCE(clock->ns), since = READ_ONCE(clock->since);

	return depth ? ns + record_elapsed(since, now) :
		       ns - min(record_elapsed(now, since), READ_ONCE(clock->ran));
}

/* Return: false if the clock changed during this. */
static bool throttle_read(const struct throttle_clock *clock, u64 now, u64 *ns, bool *running)
{
	const u32 seq = READ_ONCE(clock->seq);
	u32 depth;

	smp_rmb();	/* pairs with throttle_change_end() */
	depth = READ_ONCE(clock->depth);
	*ns = throttle_now(clock, depth, now);
	*running = depth;
	smp_rmb();	/* pairs with throttle_change_begin() */
	return !(seq & 1) && READ_ONCE(clock->seq) == seq;
}

bool throttle_has_clock(unsigned int cpu, const struct task_group *group)
{
	return throttle_find(throttle_bucket(cpu, group), group);
}

u64 throttle_clock(unsigned int cpu, const struct task_group *group, u64 now, bool *running)
{
	struct throttle_bucket *bucket = throttle_bucket(cpu, group);
	struct throttle_clock *clock;
	u64 ns;

	for (;;) {
		clock = throttle_find(bucket, group);
		if (!clock) {
			*running = false;
			return 0;
		}
		/* The clock may have been given to another group in between. */
		if (throttle_read(clock, now, &ns, running) &&
		    READ_ONCE(bucket->groups[clock - bucket->clocks]) == group)
			return ns;
		cpu_relax();
	}
}

/* Reads the time while seq is odd, so that no reader of a later time sees the old depth. */
static void throttle_set(struct throttle_clock *clock, u32 depth)
{
	u64 now;

	throttle_change_begin(clock);
	now = clock_now();
	if (!clock->depth != !depth) {
		WRITE_ONCE(clock->ns, throttle_now(clock, clock->depth, now));
		WRITE_ONCE(clock->ran, depth ? 0 : record_elapsed(clock->since, now));
		WRITE_ONCE(clock->since, now);
	}
	WRITE_ONCE(clock->depth, depth);
	throttle_change_end(clock);
}

/*
 * Return: the index of a free clock, or of the clock that has not changed for longest, if that is
 * long enough; or -1.  A clock that has run for STUCK_NS may belong to a group that was removed.
 */
static int throttle_victim(const struct throttle_bucket *bucket, u64 now)
{
	u64 longest = 0, idle;
	int i, victim = -1;

	for (i = 0; i < NR_WAYS; i++) {
		if (!bucket->groups[i])
			return i;
		idle = record_elapsed(bucket->clocks[i].since, now);
		if (idle < longest || idle < (bucket->clocks[i].depth ? STUCK_NS : IDLE_NS))
			continue;
		longest = idle;
		victim = i;
	}
	return victim;
}

/* Return: a clock for the group, which stands at 0; or NULL. */
static struct throttle_clock *throttle_take(struct throttle_bucket *bucket,
					    const struct task_group *group, u64 now)
{
	const int i = throttle_victim(bucket, now);
	struct throttle_clock *clock;

	if (i < 0)
		return NULL;
	clock = &bucket->clocks[i];
	throttle_change_begin(clock);
	WRITE_ONCE(bucket->groups[i], group);
	WRITE_ONCE(clock->depth, 0);
	WRITE_ONCE(clock->ns, 0);
	WRITE_ONCE(clock->ran, 0);
	throttle_change_end(clock);
	return clock;
}

static struct throttle_clock *throttle_find_or_take(unsigned int cpu,
						    const struct task_group *group)
{
	struct throttle_bucket *bucket = throttle_bucket(cpu, group);

	return throttle_find(bucket, group) ?: throttle_take(bucket, group, clock_now());
}

bool throttle_begin(unsigned int cpu, const struct task_group *group)
{
	struct throttle_clock *clock = throttle_find_or_take(cpu, group);

	if (clock)
		throttle_set(clock, clock->depth + 1);
	return clock;
}

void throttle_end(unsigned int cpu, const struct task_group *group)
{
	struct throttle_clock *clock = throttle_find(throttle_bucket(cpu, group), group);

	if (clock && clock->depth)
		throttle_set(clock, clock->depth - 1);
}

bool throttle_correct(unsigned int cpu, const struct task_group *group, bool throttled)
{
	struct throttle_clock *clock = throttle_find_or_take(cpu, group);

	if (clock && !clock->depth == throttled)
		throttle_set(clock, throttled);
	return clock;
}

/*
 * If the thread was queued before any group was throttled, throttle_group is NULL, and this uses
 * the present group of the task.
 */
struct totals_wait throttle_wait(const struct thread *t, u64 now)
{
	const struct task_group *group = READ_ONCE(t->throttle_group);
	const u64 since = shared_load(&t->record.since);
	struct totals_wait wait = {};
	unsigned int cpu;
	s64 ns;

	if (group == THREAD_NO_GROUP || !record_queued(record_present(&t->record)) ||
	    (!group && t->task->prio < MAX_RT_PRIO))
		return wait;
	cpu = group ? READ_ONCE(t->throttle_cpu) : task_cpu(t->task);
	if (!group)
		group = READ_ONCE(t->task->sched_task_group);
	ns = throttle_clock(cpu, group, now, &wait.throttled) - READ_ONCE(t->throttle_before);
	wait.known = true;
	/* ns is negative if the clock was given to another group in between. */
	wait.throttled_ns = ns > 0 ? min_t(u64, ns, record_elapsed(since, now)) : 0;
	return wait;
}

u64 throttle_memory(void)
{
	return (u64)num_possible_cpus() * NR_BUCKETS * sizeof(struct throttle_bucket);
}

void throttle_reset(void)
{
	unsigned int cpu;

	throttle_met = false;
	for_each_possible_cpu(cpu)
		memset(per_cpu(throttle_table, cpu), 0,
		       NR_BUCKETS * sizeof(struct throttle_bucket));
}

int throttle_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(throttle_table, cpu) = kvzalloc_node(NR_BUCKETS *
							     sizeof(struct throttle_bucket),
							     GFP_KERNEL, cpu_to_node(cpu));
		if (!per_cpu(throttle_table, cpu)) {
			throttle_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

void throttle_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(throttle_table, cpu));
		per_cpu(throttle_table, cpu) = NULL;
	}
}
#endif
