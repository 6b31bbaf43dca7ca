// SPDX-License-Identifier: GPL-2.0-only
/* Readings as JSON, with the names of <linux/taskrt.h>. */
#include "common/field.h"
#include "common/names.h"
#include "common/reading.h"
#include "common/reading_json.h"

static void put_identity(struct json_object *task, const struct taskrt_stats *s)
{
	int known = taskrt_has(s, TASKRT_VALID_IDENTITY);
	int stated = s->tid && taskrt_has(s, TASKRT_VALID_STATE);

	json_put(task, "tid", json_number_if(known && s->tid, s->tid));
	json_put(task, "tgid", json_number_if(known, s->tgid));
	json_put(task, "ppid", json_number_if(known, s->ppid));
	json_put(task, "uid", json_number_if(known, s->uid));
	json_put(task, "gid", json_number_if(known, s->gid));
	json_put(task, "comm", known ? json_text(s->comm, sizeof(s->comm)) : NULL);
	json_put(task, "state", stated ? json_string(names_state(s->state)) : NULL);
	json_put(task, "cpu", json_number_if(taskrt_has(s, TASKRT_VALID_CPU), s->cpu));
	json_put(task, "cgroup", json_number_if(taskrt_has(s, TASKRT_VALID_CGROUP), s->cgroup));
	json_put(task, "flags", known ? json_bits(field_flags, field_flags_count, s->flags) : NULL);
	json_put(task, "exit_code", json_number_if(known, s->exit_code));
}

static void put_clock(struct json_object *task, const struct taskrt_stats *s)
{
	int known = taskrt_has(s, TASKRT_VALID_CLOCK);
	int threads = !s->tid && taskrt_has(s, TASKRT_VALID_THREADS);

	json_put(task, "sample_time_ns", json_number_if(known, s->sample_time_ns));
	json_put(task, "tracked_since_ns", json_number_if(known, s->tracked_since_ns));
	json_put(task, "tracked_time_ns", json_number_if(known, s->tracked_time_ns));
	json_put(task, "start_time_ns", json_number_if(known, s->start_time_ns));
	json_put(task, "threads", json_number_if(threads, s->threads));
	json_put(task, "threads_gone", json_number_if(threads, s->threads_gone));
}

static void put_if(struct json_object *task, const struct taskrt_stats *s, uint64_t valid,
		   const char *name, uint64_t value)
{
	json_put(task, name, json_number_if(taskrt_has(s, valid), value));
}

static void put_timer(struct json_object *task, const struct taskrt_reading *reading,
		      const char *name, unsigned int timer)
{
	json_put(task, name, json_number_if(reading_has_timer(reading, TASKRT_GROUP_TIMES, timer),
					    reading->times.timers_ns[timer]));
}

static void put_totals(struct json_object *task, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *s = &reading->stats;

	put_if(task, s, TASKRT_VALID_CPU_TIME, "cpu_time_ns", s->cpu_time_ns);
	put_if(task, s, TASKRT_VALID_QUEUE_TIME, "queue_time_ns", s->queue_time_ns);
	put_if(task, s, TASKRT_VALID_PAGE_FAULT_TIME, "page_fault_time_ns", s->page_fault_time_ns);
	put_if(task, s, TASKRT_VALID_LOCK_TIME, "lock_contention_time_ns",
	       s->lock_contention_time_ns);
	put_timer(task, reading, "interrupt_time_ns", TASKRT_TIMER_HARDIRQ);
	put_timer(task, reading, "softirq_time_ns", TASKRT_TIMER_SOFTIRQ);
	put_timer(task, reading, "stolen_time_ns", TASKRT_TIMER_STEAL);
	put_timer(task, reading, "freeing_time_ns", TASKRT_TIMER_FREEING);
}

/* What most kernels have is a member always, anything else only if it was measured. */
static unsigned int next_shown(enum taskrt_name_kind kind, uint64_t measured, unsigned int from)
{
	while (from < NAMES_MAX && !names_shown(kind, measured, from))
		from++;
	return from;
}

#define for_each_shown(kind, measured, n)				\
	for ((n) = next_shown(kind, measured, 0); (n) < NAMES_MAX;	\
	     (n) = next_shown(kind, measured, (n) + 1))

void json_put_values(struct json_object *to, int known, uint64_t measured, const __u64 *values)
{
	unsigned int i;

	for_each_shown(TASKRT_NAME_VALUE, measured, i)
		json_put(to, names_of(TASKRT_NAME_VALUE, i),
			 json_number_if(known && taskrt_measures(measured, i), values[i]));
}

struct json_object *json_numbers(enum taskrt_name_kind kind, int known, uint64_t measured,
				 const __u64 *numbers)
{
	struct json_object *object = json_new_object();
	unsigned int i;

	for_each_shown(kind, measured, i)
		json_put(object, names_of(kind, i),
			 json_number_if(known && taskrt_measures(measured, i), numbers[i]));
	return object;
}

/* The times and the counts of one kind. */
static void put_kind(struct json_object *task, const struct taskrt_reading *r,
		     enum taskrt_name_kind kind, const char *times_name, const __u64 *times,
		     const char *counts_name, const __u64 *counts)
{
	uint64_t measured = names_measured(&r->stats.measured, kind);

	json_put(task, times_name,
		 json_numbers(kind, !!(r->groups & TASKRT_GROUP_TIMES), measured, times));
	json_put(task, counts_name,
		 json_numbers(kind, !!(r->groups & TASKRT_GROUP_COUNTS), measured, counts));
}

static struct json_object *longest(int measured, const struct taskrt_longest *longest)
{
	struct json_object *object;

	if (!measured)
		return NULL;
	object = json_new_object();
	json_put(object, "ns", json_new_number(longest->ns));
	json_put(object, "at_ns", json_number_if(longest->ns != 0, longest->at_ns));
	return object;
}

static struct json_object *longest_of_state(const struct taskrt_reading *r,
					    const struct taskrt_sites *sites, unsigned int state)
{
	struct json_object *object = longest(reading_has_state(r, TASKRT_GROUP_LONGEST, state),
					     &r->longests.states[state]);

	if (object && sites && *sites->states[state])
		json_put(object, "site", json_text(sites->states[state], TASKRT_SITE_ROOM));
	return object;
}

static void put_longest(struct json_object *task, const struct taskrt_reading *r,
			const struct taskrt_sites *sites)
{
	const struct taskrt_measured *measured = &r->stats.measured;
	struct json_object *causes = json_new_object();
	unsigned int i;

	for_each_shown(TASKRT_NAME_STATE, measured->states, i)
		json_put(causes, names_state(i), longest_of_state(r, sites, i));
	for_each_shown(TASKRT_NAME_TIMER, measured->timers, i)
		json_put(causes, names_of(TASKRT_NAME_TIMER, i),
			 longest(reading_has_timer(r, TASKRT_GROUP_LONGEST, i),
				 &r->longests.timers[i]));
	json_put(task, "longest", causes);
}

static void put_values(struct json_object *task, const struct taskrt_reading *r)
{
	json_put_values(task, !!(r->groups & TASKRT_GROUP_COUNTS), r->stats.measured.values,
			r->counts.values);
}

/* Of one as of a sum. */
static void put_spent(struct json_object *to, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites)
{
	put_kind(to, reading, TASKRT_NAME_STATE, "states", reading->times.states_ns,
		 "state_count", reading->counts.states);
	put_kind(to, reading, TASKRT_NAME_TIMER, "timer_time_ns", reading->times.timers_ns,
		 "timer_count", reading->counts.timers);
	put_values(to, reading);
	put_kind(to, reading, TASKRT_NAME_LOCK, "lock_time_ns", reading->times.locks_ns,
		 "lock_count", reading->counts.locks);
	put_longest(to, reading, sites);
}

static void put_task(struct json_object *task, const struct taskrt_reading *reading,
		     const struct taskrt_sites *sites)
{
	const struct taskrt_stats *stats = &reading->stats;

	json_put(task, "version", json_new_number(stats->version));
	json_put(task, "valid", json_bits(field_valid, field_valid_count, stats->valid));
	put_identity(task, stats);
	put_totals(task, reading);
	put_clock(task, stats);
	put_spent(task, reading, sites);
}

struct json_object *json_task(const struct taskrt_reading *reading,
			      const struct taskrt_sites *sites)
{
	struct json_object *task = json_new_object();

	put_task(task, reading, sites);
	return task;
}

void json_put_sum(struct json_object *to, const struct taskrt_reading *sum)
{
	json_put(to, "valid", json_bits(field_valid, field_valid_count, sum->stats.valid));
	put_totals(to, sum);
	put_if(to, &sum->stats, TASKRT_VALID_CLOCK, "tracked_time_ns", sum->stats.tracked_time_ns);
	put_spent(to, sum, NULL);
}

struct json_object *json_exit(const struct taskrt_exit *exit)
{
	static const char *const types[] = {
		[TASKRT_EXIT_THREAD] = "thread",
		[TASKRT_EXIT_PROCESS] = "process",
		[TASKRT_EXIT_LOST] = "lost",
	};
	struct json_object *object = json_new_object();
	int lost = exit->type == TASKRT_EXIT_LOST;

	json_put(object, "type", json_string(types[exit->type]));
	if (!lost)
		json_put(object, "cpu", json_new_number(exit->cpu));
	json_put(object, "seq", json_new_number(exit->seq));
	json_put(object, "lost", json_new_number(exit->lost));
	if (lost)
		json_put(object, "lost_now", json_new_number(exit->lost_now));
	else
		put_task(object, &exit->reading, NULL);
	/* The CPU of the exit is known even if the last CPU of the task is not. */
	if (!lost)
		json_put(object, "cpu", json_new_number(exit->cpu));
	return object;
}
