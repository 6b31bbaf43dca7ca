// SPDX-License-Identifier: GPL-2.0-only
/* Readings as JSON, with the names of <linux/taskrt.h>. */
#include "common/element.h"
#include "common/field.h"
#include "common/names.h"
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
		      const char *name, unsigned int number)
{
	const struct element timer = element_of(reading, TASKRT_NAME_TIMER, number);

	json_put(task, name, json_number_if(timer.timed, timer.ns));
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
	put_timer(task, reading, "reclaim_cpu_time_ns", TASKRT_TIMER_RECLAIM_CPU);
	put_timer(task, reading, "fault_cpu_time_ns", TASKRT_TIMER_FAULT_CPU);
}

void json_put_times(struct json_object *to, const char *name,
		    const struct taskrt_reading *reading, enum taskrt_name_kind kind)
{
	struct json_object *object = json_new_object();
	struct element e;

	for_each_element(&e, reading, kind)
		json_put(object, e.name, json_number_if(e.timed, e.ns));
	json_put(to, name, object);
}

static void put_counts(struct json_object *to, const char *name,
		       const struct taskrt_reading *reading, enum taskrt_name_kind kind)
{
	struct json_object *object = json_new_object();
	struct element e;

	for_each_element(&e, reading, kind)
		json_put(object, e.name, json_number_if(e.counted, e.count));
	json_put(to, name, object);
}

void json_put_values(struct json_object *to, const struct taskrt_reading *reading)
{
	struct element e;

	for_each_element(&e, reading, TASKRT_NAME_VALUE)
		json_put(to, e.name, json_number_if(e.counted, e.count));
}

static void put_longest(struct json_object *causes, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, enum taskrt_name_kind kind)
{
	struct element e;

	for_each_element(&e, reading, kind) {
		const char *site = sites && kind == TASKRT_NAME_STATE ? sites->states[e.number] : "";
		struct json_object *object = e.peaked ? json_new_object() : NULL;

		json_put(causes, e.name, object);
		if (!object)
			continue;
		json_put(object, "ns", json_new_number(e.longest.ns));
		json_put(object, "at_ns", json_number_if(e.longest.ns != 0, e.longest.at_ns));
		if (*site)
			json_put(object, "site", json_text(site, TASKRT_SITE_ROOM));
	}
}

/* Of one as of a sum. */
static void put_spent(struct json_object *to, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites)
{
	struct json_object *causes = json_new_object();

	json_put_times(to, "states", reading, TASKRT_NAME_STATE);
	put_counts(to, "state_count", reading, TASKRT_NAME_STATE);
	json_put_times(to, "timer_time_ns", reading, TASKRT_NAME_TIMER);
	put_counts(to, "timer_count", reading, TASKRT_NAME_TIMER);
	json_put_values(to, reading);
	json_put_times(to, "lock_time_ns", reading, TASKRT_NAME_LOCK);
	put_counts(to, "lock_count", reading, TASKRT_NAME_LOCK);
	put_longest(causes, reading, sites, TASKRT_NAME_STATE);
	put_longest(causes, reading, sites, TASKRT_NAME_TIMER);
	json_put(to, "longest", causes);
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
