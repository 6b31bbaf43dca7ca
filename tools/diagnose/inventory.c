// SPDX-License-Identifier: GPL-2.0-only
/* The inventory of the module: its numbers, its hooks, and what it can measure. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/names.h"
#include "diagnose/finding.h"

static int get_hooks(struct inventory *inventory, const struct taskrt *handle)
{
	uint32_t i, count = inventory->info.nr_hooks;
	int error = 0;

	inventory->hooks = calloc(count ? count : 1, sizeof(*inventory->hooks));
	if (!inventory->hooks)
		error_no_memory();
	for (i = 0; i < count && !error; i++)
		error = taskrt_info_hook(handle, i, &inventory->hooks[i],
					 sizeof(inventory->hooks[i]));
	return error;
}

static void add_known(struct taskrt_measured *known, const struct taskrt_name *name)
{
	uint64_t bit;

	if (name->number >= NAMES_MAX)
		return;
	bit = 1ULL << name->number;
	if (name->kind == TASKRT_NAME_STATE)
		known->states |= (uint32_t)bit;
	else if (name->kind == TASKRT_NAME_TIMER)
		known->timers |= (uint32_t)bit;
	else if (name->kind == TASKRT_NAME_LOCK)
		known->locks |= (uint32_t)bit;
	else if (name->kind == TASKRT_NAME_VALUE)
		known->values |= bit;
}

static int get_names(struct inventory *inventory, const struct taskrt *handle)
{
	uint32_t i, count = inventory->info.nr_names;
	struct taskrt_name name;
	int error = 0;

	for (i = 0; i < count && !error; i++) {
		error = taskrt_info_name(handle, i, &name, sizeof(name));
		if (!error)
			add_known(&inventory->known, &name);
	}
	names_learn(handle, count);
	return error;
}

int inventory_get(struct inventory *inventory, struct taskrt *handle)
{
	int error;

	memset(inventory, 0, sizeof(*inventory));
	error = taskrt_get_info(handle, &inventory->info, sizeof(inventory->info));
	if (!error)
		error = get_hooks(inventory, handle);
	return error ? error : get_names(inventory, handle);
}

void inventory_free(struct inventory *inventory)
{
	free(inventory->hooks);
	inventory->hooks = NULL;
}

/* The names of all that is measured, by kind. */
static void put_measured(struct json *json, const struct taskrt_measured *measured)
{
	unsigned int kind, i;

	json_object(json, "measured");
	for (kind = 0; kind < NAMES_KINDS; kind++) {
		uint64_t bits = names_measured(measured, kind);

		json_array(json, names_kind(kind));
		for (i = 0; i < NAMES_MAX; i++)
			if (taskrt_measures(bits, i))
				json_string(json, NULL, names_of(kind, i));
		json_end(json);
	}
	json_end(json);
}

static void put_hook(struct json *json, const struct taskrt_hook *hook)
{
	json_object(json, NULL);
	json_text(json, "name", hook->name, sizeof(hook->name));
	json_text(json, "kind", hook->kind, sizeof(hook->kind));
	json_integer(json, "status", hook->status);
	json_number(json, "hits", hook->hits);
	json_number(json, "misses", hook->misses);
	json_end(json);
}

static void put_records(struct json *json, const struct taskrt_info *info)
{
	json_number(json, "threads_max", info->threads_max);
	json_number(json, "threads_made", info->threads_made);
	json_number(json, "threads_gone", info->threads_gone);
	json_number(json, "threads", info->threads);
	json_number(json, "processes", info->processes);
	json_number(json, "refused", info->refused);
	json_number(json, "no_memory", info->no_memory);
	json_number(json, "repaired", info->repaired);
	json_number(json, "memory_bytes", info->memory_bytes);
	json_number(json, "record_size", info->record_size);
	json_number(json, "process_size", info->process_size);
}

static void put_exits(struct json *json, const struct taskrt_info *info)
{
	json_number(json, "listeners", info->listeners);
	json_number(json, "exits_delivered", info->exits_delivered);
	json_number(json, "exits_lost", info->exits_lost);
	json_number(json, "backlog_bytes", info->backlog_bytes);
	json_number(json, "backlog_max_bytes", info->backlog_max_bytes);
}

static void put_watched(struct json *json, const struct taskrt_info *info)
{
	json_number(json, "mapped", info->mapped);
	json_number(json, "armed", info->armed);
	json_number(json, "alerts", info->alerts);
	json_number(json, "alerts_lost", info->alerts_lost);
}

void inventory_put_json(struct json *json, const struct inventory *inventory)
{
	const struct taskrt_info *info = &inventory->info;
	uint32_t i;

	json_text(json, "module_version", info->module_version, sizeof(info->module_version));
	json_number(json, "stats_version", info->stats_version);
	json_bool(json, "enabled", info->enabled);
	json_number(json, "enabled_since_ns", info->enabled_since_ns);
	json_number(json, "coarse_ns", info->coarse_ns);
	json_bits(json, "valid", field_valid, field_valid_count, info->valid);
	put_measured(json, &info->measured);
	json_bits(json, "groups", field_groups, field_groups_count, info->groups);
	put_records(json, info);
	put_exits(json, info);
	put_watched(json, info);
	json_array(json, "hooks");
	for (i = 0; i < info->nr_hooks; i++)
		put_hook(json, &inventory->hooks[i]);
	json_end(json);
}
