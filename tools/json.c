// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots as JSON, with the names of <linux/taskrt.h>. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "field.h"
#include "finding.h"
#include "json.h"
#include "rank.h"
#include "text.h"

/* json-c says NULL for want of memory, and also spells null that way. */
static struct json_object *need(struct json_object *object)
{
	if (!object)
		error_no_memory();
	return object;
}

void json_put(struct json_object *to, const char *name, struct json_object *value)
{
	if (json_object_object_add(to, name, value))
		error_no_memory();
}

void json_append(struct json_object *to, struct json_object *value)
{
	if (json_object_array_add(to, value))
		error_no_memory();
}

struct json_object *json_new_object(void)
{
	return need(json_object_new_object());
}

struct json_object *json_new_array(void)
{
	return need(json_object_new_array());
}

struct json_object *json_new_number(uint64_t value)
{
	return need(json_object_new_uint64(value));
}

struct json_object *json_new_integer(int64_t value)
{
	return need(json_object_new_int64(value));
}

struct json_object *json_new_bool(int value)
{
	return need(json_object_new_boolean(value));
}

static struct json_object *number_if(int measured, uint64_t value)
{
	return measured ? json_new_number(value) : NULL;
}

struct json_object *json_text(const char *text, size_t length)
{
	size_t size = strnlen(text, length) + 1;
	struct json_object *object;
	char *safe = malloc(size);

	if (!safe)
		error_no_memory();
	object = need(json_object_new_string(text_utf8(safe, size, text, length)));
	free(safe);
	return object;
}

static struct json_object *names(const struct field *fields, size_t count, uint64_t bits)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < count; i++)
		if (bits & fields[i].bit)
			json_append(array, need(json_object_new_string(fields[i].name)));
	return array;
}

static void put_identity(struct json_object *task, const struct taskrt_stats *s)
{
	int known = taskrt_has(s, TASKRT_VALID_IDENTITY);
	int stated = s->tid && taskrt_has(s, TASKRT_VALID_STATE);

	json_put(task, "tid", number_if(known && s->tid, s->tid));
	json_put(task, "tgid", number_if(known, s->tgid));
	json_put(task, "ppid", number_if(known, s->ppid));
	json_put(task, "uid", number_if(known, s->uid));
	json_put(task, "gid", number_if(known, s->gid));
	json_put(task, "comm", known ? json_text(s->comm, sizeof(s->comm)) : NULL);
	json_put(task, "state", stated ?
		 need(json_object_new_string(field_state_name(s->state))) : NULL);
	json_put(task, "flags", known ? names(field_flags, field_flags_count, s->flags) : NULL);
	json_put(task, "exit_code", number_if(known, s->exit_code));
}

static void put_clock(struct json_object *task, const struct taskrt_stats *s)
{
	int known = taskrt_has(s, TASKRT_VALID_CLOCK);
	int threads = !s->tid && taskrt_has(s, TASKRT_VALID_THREADS);

	json_put(task, "sample_time_ns", number_if(known, s->sample_time_ns));
	json_put(task, "tracked_since_ns", number_if(known, s->tracked_since_ns));
	json_put(task, "tracked_time_ns", number_if(known, s->tracked_time_ns));
	json_put(task, "start_time_ns", number_if(known, s->start_time_ns));
	json_put(task, "threads", number_if(threads, s->threads));
	json_put(task, "threads_gone", number_if(threads, s->threads_gone));
}

static void put_if(struct json_object *task, const struct taskrt_stats *s, uint64_t valid,
		   const char *name, uint64_t value)
{
	json_put(task, name, number_if(taskrt_has(s, valid), value));
}

static void put_totals(struct json_object *task, const struct taskrt_stats *s)
{
	put_if(task, s, TASKRT_VALID_CPU_TIME, "cpu_time_ns", s->cpu_time_ns);
	put_if(task, s, TASKRT_VALID_QUEUE_TIME, "queue_time_ns", s->queue_time_ns);
	put_if(task, s, TASKRT_VALID_PAGE_FAULT_TIME, "page_fault_time_ns",
	       s->page_fault_time_ns);
	put_if(task, s, TASKRT_VALID_LOCK_TIME, "lock_contention_time_ns",
	       s->lock_contention_time_ns);
}

static void put_counts(struct json_object *task, const struct taskrt_stats *s)
{
	put_if(task, s, TASKRT_VALID_SWITCHES, "voluntary_switches", s->voluntary_switches);
	put_if(task, s, TASKRT_VALID_SWITCHES, "involuntary_switches", s->involuntary_switches);
	put_if(task, s, TASKRT_VALID_WAKEUPS, "wakeups", s->wakeups);
	put_if(task, s, TASKRT_VALID_FAULTS, "minor_faults", s->minor_faults);
	put_if(task, s, TASKRT_VALID_FAULTS, "major_faults", s->major_faults);
	put_if(task, s, TASKRT_VALID_FAULT_TIMES, "minor_fault_time_ns", s->minor_fault_time_ns);
	put_if(task, s, TASKRT_VALID_FAULT_TIMES, "major_fault_time_ns", s->major_fault_time_ns);
}

static void put_states(struct json_object *task, const struct taskrt_stats *s)
{
	struct json_object *states = json_new_object();
	unsigned int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		json_put(states, field_state_name(i),
			 number_if(rank_measured(s, i), s->states_ns[i]));
	json_put(task, "states", states);
}

static void put_locks(struct json_object *task, const struct taskrt_stats *s)
{
	int measured = taskrt_has(s, TASKRT_VALID_LOCKS);
	struct json_object *times = json_new_object();
	struct json_object *counts = json_new_object();
	unsigned int i;

	for (i = 0; i < TASKRT_NR_LOCKS; i++) {
		json_put(times, taskrt_lock_name(i), number_if(measured, s->lock_time_ns[i]));
		json_put(counts, taskrt_lock_name(i), number_if(measured, s->lock_count[i]));
	}
	json_put(task, "lock_time_ns", times);
	json_put(task, "lock_count", counts);
}

static struct json_object *longest(int measured, const struct taskrt_longest *longest)
{
	struct json_object *object;

	if (!measured)
		return NULL;
	object = json_new_object();
	json_put(object, "ns", json_new_number(longest->ns));
	json_put(object, "at_ns", number_if(longest->ns != 0, longest->at_ns));
	return object;
}

static void put_longest(struct json_object *task, const struct taskrt_stats *s)
{
	struct json_object *causes = json_new_object();
	int states = taskrt_has(s, TASKRT_VALID_LONGEST_STATE);
	unsigned int i;

	for (i = 0; i < TASKRT_NR_STATES; i++)
		json_put(causes, field_state_name(i),
			 longest(states && rank_measured(s, i), &s->longest_state[i]));
	json_put(causes, "page_fault",
		 longest(taskrt_has(s, TASKRT_VALID_LONGEST_FAULT), &s->longest_fault));
	json_put(causes, "lock",
		 longest(taskrt_has(s, TASKRT_VALID_LONGEST_LOCK), &s->longest_lock));
	json_put(task, "longest", causes);
}

static void put_task(struct json_object *task, const struct taskrt_stats *stats)
{
	json_put(task, "version", json_new_number(stats->version));
	json_put(task, "valid", names(field_valid, field_valid_count, stats->valid));
	put_identity(task, stats);
	put_totals(task, stats);
	put_clock(task, stats);
	put_states(task, stats);
	put_counts(task, stats);
	put_locks(task, stats);
	put_longest(task, stats);
}

struct json_object *json_task(const struct taskrt_stats *stats)
{
	struct json_object *task = json_new_object();

	put_task(task, stats);
	return task;
}

void json_put_sum(struct json_object *to, const struct taskrt_stats *sum)
{
	json_put(to, "valid", names(field_valid, field_valid_count, sum->valid));
	put_totals(to, sum);
	put_if(to, sum, TASKRT_VALID_CLOCK, "tracked_time_ns", sum->tracked_time_ns);
	put_states(to, sum);
	put_counts(to, sum);
	put_locks(to, sum);
	put_longest(to, sum);
}

struct json_object *json_exit(const struct taskrt_exit *exit)
{
	static const char * const types[] = {
		[TASKRT_EXIT_THREAD] = "thread",
		[TASKRT_EXIT_PROCESS] = "process",
		[TASKRT_EXIT_LOST] = "lost",
	};
	struct json_object *object = json_new_object();
	int lost = exit->type == TASKRT_EXIT_LOST;

	json_put(object, "type", need(json_object_new_string(types[exit->type])));
	if (!lost)
		json_put(object, "cpu", json_new_number(exit->cpu));
	json_put(object, "seq", json_new_number(exit->seq));
	json_put(object, "lost", json_new_number(exit->lost));
	if (lost)
		json_put(object, "lost_now", json_new_number(exit->lost_now));
	else
		put_task(object, &exit->stats);
	return object;
}

static struct json_object *hook(const struct taskrt_hook *hook)
{
	struct json_object *object = json_new_object();

	json_put(object, "name", json_text(hook->name, sizeof(hook->name)));
	json_put(object, "kind", json_text(hook->kind, sizeof(hook->kind)));
	json_put(object, "status", json_new_integer(hook->status));
	json_put(object, "hits", json_new_number(hook->hits));
	json_put(object, "misses", json_new_number(hook->misses));
	return object;
}

static void put_records(struct json_object *object, const struct taskrt_info *info)
{
	json_put(object, "threads_max", json_new_number(info->threads_max));
	json_put(object, "threads_made", json_new_number(info->threads_made));
	json_put(object, "threads_gone", json_new_number(info->threads_gone));
	json_put(object, "threads", json_new_number(info->threads));
	json_put(object, "processes", json_new_number(info->processes));
	json_put(object, "refused", json_new_number(info->refused));
	json_put(object, "no_memory", json_new_number(info->no_memory));
	json_put(object, "repaired", json_new_number(info->repaired));
	json_put(object, "memory_bytes", json_new_number(info->memory_bytes));
	json_put(object, "record_size", json_new_number(info->record_size));
	json_put(object, "process_size", json_new_number(info->process_size));
}

static void put_exits(struct json_object *object, const struct taskrt_info *info)
{
	/* A module from before exits tells of no limit; every other has one. */
	int told = info->backlog_max_bytes != 0;

	json_put(object, "listeners", number_if(told, info->listeners));
	json_put(object, "exits_told", number_if(told, info->exits_told));
	json_put(object, "exits_lost", number_if(told, info->exits_lost));
	json_put(object, "backlog_bytes", number_if(told, info->backlog_bytes));
	json_put(object, "backlog_max_bytes", number_if(told, info->backlog_max_bytes));
}

static void put_watched(struct json_object *object, const struct taskrt_info *info)
{
	int told = finding_knows_watched(info);

	json_put(object, "mapped", number_if(told, info->mapped));
	json_put(object, "armed", number_if(told, info->armed));
	json_put(object, "alerts", number_if(told, info->alerts));
	json_put(object, "alerts_lost", number_if(told, info->alerts_lost));
}

struct json_object *json_info(const struct taskrt_info *info)
{
	struct json_object *object = json_new_object();
	struct json_object *hooks = json_new_array();
	uint32_t i;

	json_put(object, "module_version",
		 json_text(info->module_version, sizeof(info->module_version)));
	json_put(object, "stats_version", json_new_number(info->stats_version));
	json_put(object, "enabled", json_new_bool(info->enabled));
	json_put(object, "enabled_since_ns", json_new_number(info->enabled_since_ns));
	json_put(object, "coarse_ns", json_new_number(info->coarse_ns));
	json_put(object, "valid", names(field_valid, field_valid_count, info->valid));
	put_records(object, info);
	put_exits(object, info);
	put_watched(object, info);
	for (i = 0; i < info->nr_hooks && i < TASKRT_HOOKS_MAX; i++)
		json_append(hooks, hook(&info->hooks[i]));
	json_put(object, "hooks", hooks);
	return object;
}
