// SPDX-License-Identifier: GPL-2.0-only
/* INFO: what the module measures, and the names of what this program knows no name for. */
#include <errno.h>

#include "check.h"
#include "parts.h"
#include "scenario.h"
#include "told.h"

static struct taskrt *handle;
static uint32_t nr_names;

/* Finds a name as a program does that prints whatever there is. */
static const char *name_of(enum taskrt_name_kind kind, uint32_t number, struct taskrt_name *name)
{
	for (uint32_t i = 0; i < nr_names; i++) {
		EQUAL(taskrt_info_name(handle, i, name, sizeof(*name)), 0);
		if (name->kind == kind && name->number == number)
			return name->name;
	}
	return "";
}

static void new_names(void)
{
	struct taskrt_name name;

	CHECK(!strcmp(name_of(TASKRT_NAME_STATE, NEW_STATE, &name),
		      next_module ? "sleeping_queue" : ""));
	if (next_module)
		EQUAL(name.parent, OLD_STATE);
	CHECK(!strcmp(name_of(TASKRT_NAME_TIMER, NEW_TIMER, &name),
		      next_module ? "swapout" : ""));
	CHECK(!strcmp(name_of(TASKRT_NAME_LOCK, NEW_LOCK, &name),
		      next_module ? "percpu" : ""));
	CHECK(!strcmp(name_of(TASKRT_NAME_VALUE, NEW_VALUE, &name),
		      next_module ? "migrations" : ""));
}

/* The library's own names. */
static void known_names(void)
{
	const char *state = taskrt_state_name(NEW_STATE);

	CHECK(next_library ? state && !strcmp(state, "sleeping_queue") : !state);
	CHECK(!taskrt_timer_name(NEW_TIMER) == !next_library);
	CHECK(!taskrt_lock_name(NEW_LOCK) == !next_library);
	CHECK(!taskrt_value_name(NEW_VALUE) == !next_library);
	CHECK(!taskrt_reason_name(NEW_REASON) == !next_library);
	CHECK(!strcmp(taskrt_state_name(TASKRT_STATE_EXITED), "exited"));
}

static void old_names(void)
{
	struct taskrt_name name;

	for (uint32_t i = 0; i < OLD_STATES; i++) {
		const char *known = taskrt_state_name(i);

		CHECK(known && !strcmp(name_of(TASKRT_NAME_STATE, i, &name), known));
		EQUAL(name.parent, i);
	}
	for (uint32_t i = 0; i < OLD_LOCKS; i++)
		CHECK(!strcmp(name_of(TASKRT_NAME_LOCK, i, &name), taskrt_lock_name(i)));
	for (uint32_t i = 0; i < OLD_VALUES; i++)
		CHECK(!strcmp(name_of(TASKRT_NAME_VALUE, i, &name), taskrt_value_name(i)));
	for (uint32_t i = 0; i < OLD_TIMERS; i++)
		CHECK(!strcmp(name_of(TASKRT_NAME_TIMER, i, &name), taskrt_timer_name(i)));
}

void info_check(void)
{
	struct taskrt_info *info = guarded(sizeof(*info));

	checking = "INFO";
	EQUAL(taskrt_open(&handle), 0);
	if (!handle)
		return;
	EQUAL(taskrt_get_info(handle, info, sizeof(*info)), 0);
	EQUAL(info->stats_version, next_module ? 4 : 3);
	EQUAL(info->enabled, 1);
	EQUAL(info->valid, 0x3ff);
	EQUAL(info->threads_made, 1);
	EQUAL(info->memory_bytes, 4096);
	EQUAL(info->groups, next_module ? 31 : 15);
	EQUAL(info->measured.states >> NEW_STATE & 1, next_module);
	EQUAL(info->measured.values >> NEW_VALUE & 1, next_module);
	EQUAL(info->measured.states & 0xfff, 0xfff);
#ifdef TASKRT_GROUP_SLICES
	EQUAL(info->uptime_ns, next_library && next_module ? NEW_UPTIME : 0);
#endif
	nr_names = info->nr_names;
	guarded_check(info, sizeof(*info));
	old_names();
	new_names();
	known_names();
	taskrt_close(handle);
}
