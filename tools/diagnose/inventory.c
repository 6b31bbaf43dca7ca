// SPDX-License-Identifier: GPL-2.0-only
/* The inventory of the module: its numbers, its hooks, and what it can measure. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/field.h"
#include "common/json.h"
#include "common/names.h"
#include "diagnose/inventory.h"

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

	if (!count)
		inventory->known = names_usual;
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

int inventory_knows_observed(const struct taskrt_info *info)
{
	return strverscmp(info->module_version, "0.4") >= 0;
}

/* The names of all that is measured, by kind. */
static struct json_object *measured_names(const struct taskrt_measured *measured)
{
	struct json_object *object = json_new_object();
	unsigned int kind, i;

	for (kind = 0; kind < NAMES_KINDS; kind++) {
		uint64_t bits = names_measured(measured, kind);
		struct json_object *array = json_new_array();

		for (i = 0; i < NAMES_MAX; i++)
			if (taskrt_measures(bits, i))
				json_append(array, json_string(names_of(kind, i)));
		json_put(object, names_kind(kind), array);
	}
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
	/* A module without exits reports no limit; every other one has a limit. */
	int told = info->backlog_max_bytes != 0;

	json_put(object, "listeners", json_number_if(told, info->listeners));
	json_put(object, "exits_delivered", json_number_if(told, info->exits_delivered));
	json_put(object, "exits_lost", json_number_if(told, info->exits_lost));
	json_put(object, "backlog_bytes", json_number_if(told, info->backlog_bytes));
	json_put(object, "backlog_max_bytes", json_number_if(told, info->backlog_max_bytes));
}

static void put_watched(struct json_object *object, const struct taskrt_info *info)
{
	int told = inventory_knows_observed(info);

	json_put(object, "mapped", json_number_if(told, info->mapped));
	json_put(object, "armed", json_number_if(told, info->armed));
	json_put(object, "alerts", json_number_if(told, info->alerts));
	json_put(object, "alerts_lost", json_number_if(told, info->alerts_lost));
}

struct json_object *inventory_json(const struct inventory *inventory)
{
	const struct taskrt_info *info = &inventory->info;
	struct json_object *object = json_new_object();
	struct json_object *hooks = json_new_array();
	uint32_t i;

	json_put(object, "module_version",
		 json_text(info->module_version, sizeof(info->module_version)));
	json_put(object, "stats_version", json_new_number(info->stats_version));
	json_put(object, "enabled", json_new_bool(info->enabled));
	json_put(object, "enabled_since_ns", json_new_number(info->enabled_since_ns));
	json_put(object, "coarse_ns", json_new_number(info->coarse_ns));
	json_put(object, "valid", json_bits(field_valid, field_valid_count, info->valid));
	json_put(object, "measured", measured_names(&info->measured));
	json_put(object, "groups", json_bits(field_groups, field_groups_count, info->groups));
	put_records(object, info);
	put_exits(object, info);
	put_watched(object, info);
	for (i = 0; i < info->nr_hooks; i++)
		json_append(hooks, hook(&inventory->hooks[i]));
	json_put(object, "hooks", hooks);
	return object;
}
