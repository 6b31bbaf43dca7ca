// SPDX-License-Identifier: GPL-2.0-only
/* All that the module tells of itself: its numbers, its hooks, and what it can measure. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
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
