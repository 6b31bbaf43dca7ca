// SPDX-License-Identifier: GPL-2.0-only
/* Readings as JSON, with the names of <linux/taskrt.h>. */
#include "common/element.h"
#include "common/names.h"
#include "common/reading_json.h"

static void put_identity(struct json *json, const struct taskrt_stats *s, int with_cpu)
{
	int known = taskrt_has(s, TASKRT_VALID_IDENTITY);
	int stated = s->tid && taskrt_has(s, TASKRT_VALID_STATE);

	json_number_if(json, "tid", known && s->tid, s->tid);
	json_number_if(json, "tgid", known, s->tgid);
	json_number_if(json, "ppid", known, s->ppid);
	json_number_if(json, "uid", known, s->uid);
	json_number_if(json, "gid", known, s->gid);
	json_text(json, "comm", known ? s->comm : NULL, sizeof(s->comm));
	json_string(json, "state", stated ? names_state(s->state) : NULL);
	if (with_cpu)
		json_number_if(json, "cpu", taskrt_has(s, TASKRT_VALID_CPU), s->cpu);
	json_number_if(json, "cgroup", taskrt_has(s, TASKRT_VALID_CGROUP), s->cgroup);
	if (known)
		json_bits(json, "flags", field_flags, field_flags_count, s->flags);
	else
		json_null(json, "flags");
	json_number_if(json, "exit_code", known, s->exit_code);
}

static void put_clock(struct json *json, const struct taskrt_stats *s)
{
	int known = taskrt_has(s, TASKRT_VALID_CLOCK);
	int threads = !s->tid && taskrt_has(s, TASKRT_VALID_THREADS);

	json_number_if(json, "sample_time_ns", known, s->sample_time_ns);
	json_number_if(json, "tracked_since_ns", known, s->tracked_since_ns);
	json_number_if(json, "tracked_time_ns", known, s->tracked_time_ns);
	json_number_if(json, "start_time_ns", known, s->start_time_ns);
	json_number_if(json, "threads", threads, s->threads);
	json_number_if(json, "threads_gone", threads, s->threads_gone);
}

static void put_if(struct json *json, const struct taskrt_stats *s, uint64_t valid,
		   const char *name, uint64_t value)
{
	json_number_if(json, name, taskrt_has(s, valid), value);
}

static void put_timer(struct json *json, const struct taskrt_reading *reading,
		      const char *name, unsigned int number)
{
	const struct element timer = element_of(reading, TASKRT_NAME_TIMER, number);

	json_number_if(json, name, timer.timed, timer.ns);
}

static void put_totals(struct json *json, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *s = &reading->stats;

	put_if(json, s, TASKRT_VALID_CPU_TIME, "cpu_time_ns", s->cpu_time_ns);
	put_if(json, s, TASKRT_VALID_QUEUE_TIME, "queue_time_ns", s->queue_time_ns);
	put_if(json, s, TASKRT_VALID_PAGE_FAULT_TIME, "page_fault_time_ns", s->page_fault_time_ns);
	put_if(json, s, TASKRT_VALID_LOCK_TIME, "lock_contention_time_ns",
	       s->lock_contention_time_ns);
	put_timer(json, reading, "interrupt_time_ns", TASKRT_TIMER_HARDIRQ);
	put_timer(json, reading, "softirq_time_ns", TASKRT_TIMER_SOFTIRQ);
	put_timer(json, reading, "stolen_time_ns", TASKRT_TIMER_STEAL);
	put_timer(json, reading, "reclaim_cpu_time_ns", TASKRT_TIMER_RECLAIM_CPU);
	put_timer(json, reading, "fault_cpu_time_ns", TASKRT_TIMER_FAULT_CPU);
}

static void put_elements(struct json *json, const char *name, const struct taskrt_reading *reading,
			 enum taskrt_name_kind kind, int counts)
{
	struct element e;

	json_object(json, name);
	for_each_element(&e, reading, kind)
		json_number_if(json, e.name, counts ? e.counted : e.timed, counts ? e.count : e.ns);
	json_end(json);
}

void json_put_times(struct json *json, const char *name,
		    const struct taskrt_reading *reading, enum taskrt_name_kind kind)
{
	put_elements(json, name, reading, kind, 0);
}

void json_put_values(struct json *json, const struct taskrt_reading *reading)
{
	struct element e;

	for_each_element(&e, reading, TASKRT_NAME_VALUE)
		json_number_if(json, e.name, e.counted, e.count);
}

static void put_longest(struct json *json, const struct taskrt_reading *reading,
			const struct taskrt_sites *sites, enum taskrt_name_kind kind)
{
	struct element e;

	for_each_element(&e, reading, kind) {
		const char *site = sites && kind == TASKRT_NAME_STATE ? sites->states[e.number] : "";

		if (!e.peaked) {
			json_null(json, e.name);
			continue;
		}
		json_object(json, e.name);
		json_number(json, "ns", e.longest.ns);
		json_number_if(json, "at_ns", e.longest.ns != 0, e.longest.at_ns);
		if (*site)
			json_text(json, "site", site, TASKRT_SITE_ROOM);
		json_end(json);
	}
}

/* The members of both a task and a sum. */
static void put_spent(struct json *json, const struct taskrt_reading *reading,
		      const struct taskrt_sites *sites)
{
	json_put_times(json, "states", reading, TASKRT_NAME_STATE);
	put_elements(json, "state_count", reading, TASKRT_NAME_STATE, 1);
	json_put_times(json, "timer_time_ns", reading, TASKRT_NAME_TIMER);
	put_elements(json, "timer_count", reading, TASKRT_NAME_TIMER, 1);
	json_put_values(json, reading);
	json_put_times(json, "lock_time_ns", reading, TASKRT_NAME_LOCK);
	put_elements(json, "lock_count", reading, TASKRT_NAME_LOCK, 1);
	json_object(json, "longest");
	put_longest(json, reading, sites, TASKRT_NAME_STATE);
	put_longest(json, reading, sites, TASKRT_NAME_TIMER);
	json_end(json);
}

static void put_task(struct json *json, const struct taskrt_reading *reading,
		     const struct taskrt_sites *sites, int with_cpu)
{
	const struct taskrt_stats *stats = &reading->stats;

	json_number(json, "version", stats->version);
	json_bits(json, "valid", field_valid, field_valid_count, stats->valid);
	put_identity(json, stats, with_cpu);
	put_totals(json, reading);
	put_clock(json, stats);
	put_spent(json, reading, sites);
}

void json_task(struct json *json, const char *name, const struct taskrt_reading *reading,
	       const struct taskrt_sites *sites)
{
	if (!reading) {
		json_null(json, name);
		return;
	}
	json_object(json, name);
	put_task(json, reading, sites, 1);
	json_end(json);
}

void json_put_sum(struct json *json, const struct taskrt_reading *sum)
{
	json_bits(json, "valid", field_valid, field_valid_count, sum->stats.valid);
	put_totals(json, sum);
	put_if(json, &sum->stats, TASKRT_VALID_CLOCK, "tracked_time_ns", sum->stats.tracked_time_ns);
	put_spent(json, sum, NULL);
}

void json_exit(struct json *json, const struct taskrt_exit *exit)
{
	static const char *const types[] = {
		[TASKRT_EXIT_THREAD] = "thread",
		[TASKRT_EXIT_PROCESS] = "process",
		[TASKRT_EXIT_LOST] = "lost",
	};
	int lost = exit->type == TASKRT_EXIT_LOST;

	json_object(json, NULL);
	json_string(json, "type", types[exit->type]);
	/* The CPU of the exit is known even if the last CPU of the task is not. */
	if (!lost)
		json_number(json, "cpu", exit->cpu);
	json_number(json, "seq", exit->seq);
	json_number(json, "lost", exit->lost);
	if (lost)
		json_number(json, "lost_now", exit->lost_now);
	else
		put_task(json, &exit->reading, NULL, 0);
	json_end(json);
}
