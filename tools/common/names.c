// SPDX-License-Identifier: GPL-2.0-only
/* The names of states, timers, kinds of locks and values, and which of them are shown. */
#include <stdio.h>
#include <string.h>

#include "common/names.h"

/* Names that the library does not have are read from the module when the first one is needed. */
static struct {
	int asked;
	char names[NAMES_KINDS][NAMES_MAX][sizeof(((struct taskrt_name *)0)->name)];
	unsigned char parents[NAMES_MAX];	/* one more than the state; 0: not known */
} module;

const struct taskrt_measured names_usual = {
	.states = (1U << (TASKRT_STATE_STOPPED + 1)) - 1,
	.timers = (1U << (TASKRT_TIMER_LOCK + 1)) - 1,
	.locks = (1U << (TASKRT_LOCK_OTHER + 1)) - 1,
	.values = (1U << (TASKRT_VALUE_SYSTEM_NS + 1)) - 1,
};

/* These names are printed everywhere, so only printable ASCII is kept. */
static void take_text(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && from[i]; i++)
		to[i] = from[i] > ' ' && from[i] < 0x7f ? from[i] : '?';
	to[i] = '\0';
}

void names_learn(const struct taskrt *handle, uint32_t nr_names)
{
	struct taskrt_name name;
	uint32_t i;

	module.asked = 1;
	for (i = 0; i < nr_names; i++) {
		if (taskrt_info_name(handle, i, &name, sizeof(name)))
			return;
		if (name.kind >= NAMES_KINDS || name.number >= NAMES_MAX)
			continue;
		take_text(module.names[name.kind][name.number], name.name, sizeof(name.name));
		if (name.kind == TASKRT_NAME_STATE && name.parent < NAMES_MAX)
			module.parents[name.number] = (unsigned char)(name.parent + 1);
	}
}

/* Uses a connection of its own, because others may be in the middle of a dump. */
static void ask(void)
{
	struct taskrt *handle;
	struct taskrt_info info;

	if (module.asked)
		return;
	module.asked = 1;
	if (taskrt_open(&handle))
		return;
	if (!taskrt_get_info(handle, &info, sizeof(info)))
		names_learn(handle, info.nr_names);
	taskrt_close(handle);
}

/* These differ from the library: in JSON the names of times end in _time_ns. */
static const char *own_name(enum taskrt_name_kind kind, unsigned int number)
{
	if (kind == TASKRT_NAME_TIMER && number == TASKRT_TIMER_FAULT)
		return "page_fault";
	if (kind == TASKRT_NAME_VALUE && number == TASKRT_VALUE_MINOR_FAULT_NS)
		return "minor_fault_time_ns";
	if (kind == TASKRT_NAME_VALUE && number == TASKRT_VALUE_MAJOR_FAULT_NS)
		return "major_fault_time_ns";
	if (kind == TASKRT_NAME_VALUE && number == TASKRT_VALUE_USER_NS)
		return "user_time_ns";
	if (kind == TASKRT_NAME_VALUE && number == TASKRT_VALUE_SYSTEM_NS)
		return "system_time_ns";
	if (kind == TASKRT_NAME_VALUE && number == TASKRT_VALUE_CYCLES_NS)
		return "cycles_time_ns";
	return NULL;
}

/* NULL: it has no name. */
static const char *known(enum taskrt_name_kind kind, unsigned int number)
{
	static const char *(* const of_library[NAMES_KINDS])(unsigned int number) = {
		[TASKRT_NAME_STATE] = taskrt_state_name,
		[TASKRT_NAME_TIMER] = taskrt_timer_name,
		[TASKRT_NAME_LOCK] = taskrt_lock_name,
		[TASKRT_NAME_VALUE] = taskrt_value_name,
	};
	const char *name = own_name(kind, number);

	if (!name)
		name = of_library[kind](number);
	if (name || number >= NAMES_MAX)
		return name;
	ask();
	name = module.names[kind][number];
	return *name ? name : NULL;
}

const char *names_of(enum taskrt_name_kind kind, unsigned int number)
{
	static const char * const words[NAMES_KINDS] = { "state", "timer", "lock", "value" };
	static char numbered[NAMES_KINDS][NAMES_MAX][16];
	const char *name = known(kind, number);

	if (name)
		return name;
	/* The table has no room for it. */
	if (number >= NAMES_MAX)
		return "unknown";
	snprintf(numbered[kind][number], sizeof(numbered[0][0]), "%s%u", words[kind], number);
	return numbered[kind][number];
}

int names_find_state(const char *name, size_t length)
{
	unsigned int state;

	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		const char *candidate = known(TASKRT_NAME_STATE, state);

		if (candidate && strlen(candidate) == length && !strncmp(candidate, name, length))
			return (int)state;
	}
	return -1;
}

unsigned int names_parent(unsigned int state)
{
	if (state >= NAMES_MAX)
		return state;
	ask();
	return module.parents[state] ? module.parents[state] - 1U : state;
}

const char *names_kind(enum taskrt_name_kind kind)
{
	static const char * const kinds[NAMES_KINDS] = { "states", "timers", "locks", "values" };

	return kinds[kind];
}

uint64_t names_measured(const struct taskrt_measured *measured, enum taskrt_name_kind kind)
{
	switch (kind) {
	case TASKRT_NAME_STATE:
		return measured->states;
	case TASKRT_NAME_TIMER:
		return measured->timers;
	case TASKRT_NAME_LOCK:
		return measured->locks;
	default:
		return measured->values;
	}
}

int names_shown(enum taskrt_name_kind kind, uint64_t measured, unsigned int number)
{
	static const unsigned int rooms[NAMES_KINDS] = {
		[TASKRT_NAME_STATE] = TASKRT_STATES_ROOM,
		[TASKRT_NAME_TIMER] = TASKRT_TIMERS_ROOM,
		[TASKRT_NAME_LOCK] = TASKRT_LOCKS_ROOM,
		[TASKRT_NAME_VALUE] = TASKRT_VALUES_ROOM,
	};

	return number < rooms[kind] &&
	       taskrt_measures(measured | names_measured(&names_usual, kind), number);
}
