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

static const struct kind {
	const char *one, *many;		/* in a numbered name, and in JSON */
	unsigned int room;
	const char *(*name)(unsigned int number);
} kinds[NAMES_KINDS] = {
	[TASKRT_NAME_STATE] = { "state", "states", TASKRT_STATES_ROOM, taskrt_state_name },
	[TASKRT_NAME_TIMER] = { "timer", "timers", TASKRT_TIMERS_ROOM, taskrt_timer_name },
	[TASKRT_NAME_LOCK] = { "lock", "locks", TASKRT_LOCKS_ROOM, taskrt_lock_name },
	[TASKRT_NAME_VALUE] = { "value", "values", TASKRT_VALUES_ROOM, taskrt_value_name },
};

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

/* With a connection of its own, because others may be in the middle of a dump. */
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

/* NULL: it has no name. */
static const char *known(enum taskrt_name_kind kind, unsigned int number)
{
	const char *name = kinds[kind].name(number);

	if (name || number >= NAMES_MAX)
		return name;
	ask();
	name = module.names[kind][number];
	return *name ? name : NULL;
}

/* In JSON the names of times end in _time_ns, and one name is older than the library's. */
static const char *own_name(enum taskrt_name_kind kind, unsigned int number, const char *name)
{
	static char times[TASKRT_VALUES_ROOM][sizeof(module.names[0][0]) + sizeof("_time_ns")];
	const size_t length = strlen(name);

	if (kind == TASKRT_NAME_TIMER && number == TASKRT_TIMER_FAULT)
		return "page_fault";
	if (kind != TASKRT_NAME_VALUE || number >= TASKRT_VALUES_ROOM || length < 3 ||
	    strcmp(name + length - 3, "_ns"))
		return name;
	snprintf(times[number], sizeof(times[number]), "%.*s_time_ns", (int)length - 3, name);
	return times[number];
}

const char *names_of(enum taskrt_name_kind kind, unsigned int number)
{
	static char numbered[NAMES_KINDS][NAMES_MAX][16];
	const char *name = known(kind, number);

	if (name)
		return own_name(kind, number, name);
	/* The table has no room for it. */
	if (number >= NAMES_MAX)
		return "unknown";
	snprintf(numbered[kind][number], sizeof(numbered[0][0]), "%s%u", kinds[kind].one, number);
	return numbered[kind][number];
}

/* Such as "futex" or "fut", of sleeping_futex. */
static int begins_a_part(const char *name, const char *word, size_t length)
{
	const char *part;

	for (part = name; part; part = strchr(part, '_')) {
		part += *part == '_';
		if (!strncmp(part, word, length))
			return 1;
	}
	return 0;
}

uint32_t names_find_states(const char *word, size_t length)
{
	uint32_t found = 0;
	unsigned int state;

	for (state = 0; length && state < TASKRT_STATES_ROOM; state++) {
		const char *name = known(TASKRT_NAME_STATE, state);

		if (!name || !begins_a_part(name, word, length))
			continue;
		if (strlen(name) == length)
			return 1U << state;
		found |= 1U << state;
	}
	return found;
}

const char *names_states(uint32_t states)
{
	static char list[TASKRT_STATES_ROOM * sizeof(module.names[0][0])];
	unsigned int state;
	size_t used = 0;

	for (state = 0; state < TASKRT_STATES_ROOM; state++) {
		const char *name = known(TASKRT_NAME_STATE, state);

		if (name && states & (1U << state))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? " " : "", name);
	}
	return list;
}

unsigned int names_parent(unsigned int state)
{
	if (state >= NAMES_MAX)
		return state;
	ask();
	return module.parents[state] ? module.parents[state] - 1U : state;
}

int names_state_is_among(unsigned int state, uint32_t states)
{
	unsigned int parent;

	while (!taskrt_measures(states, state)) {
		parent = names_parent(state);
		if (parent >= state)
			return 0;
		state = parent;
	}
	return 1;
}

const char *names_kind(enum taskrt_name_kind kind)
{
	return kinds[kind].many;
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
	return number < kinds[kind].room &&
	       taskrt_measures(measured | names_measured(&names_usual, kind), number);
}

const struct field field_valid[] = {
	{ TASKRT_VALID_CPU_TIME, "cpu_time", "cpu_time_ns" },
	{ TASKRT_VALID_QUEUE_TIME, "queue_time", "queue_time_ns" },
	{ TASKRT_VALID_PAGE_FAULT_TIME, "page_fault_time", "page_fault_time_ns" },
	{ TASKRT_VALID_LOCK_TIME, "lock_time", "lock_contention_time_ns" },
	{ TASKRT_VALID_CLOCK, "clock",
	  "sample_time_ns, tracked_since_ns, tracked_time_ns, start_time_ns" },
	{ TASKRT_VALID_IDENTITY, "identity",
	  "tid, tgid, ppid, uid, gid, comm, flags, exit_code" },
	{ TASKRT_VALID_STATE, "state", "state" },
	{ TASKRT_VALID_THREADS, "threads", "threads, threads_gone" },
	{ TASKRT_VALID_CPU, "cpu", "cpu" },
	{ TASKRT_VALID_CGROUP, "cgroup", "cgroup" },
};

const size_t field_valid_count = sizeof(field_valid) / sizeof(field_valid[0]);

const struct field field_flags[] = {
	{ TASKRT_FLAG_KTHREAD, "kthread", NULL },
	{ TASKRT_FLAG_EXITED, "exited", NULL },
	{ TASKRT_FLAG_PREEXISTING, "preexisting", NULL },
	{ TASKRT_FLAG_COARSE, "coarse", NULL },
	{ TASKRT_FLAG_INCOMPLETE, "incomplete", NULL },
	{ TASKRT_FLAG_PENDING, "pending", NULL },
};

const size_t field_flags_count = sizeof(field_flags) / sizeof(field_flags[0]);

const struct field field_groups[] = {
	{ TASKRT_GROUP_TIMES, "times", NULL },
	{ TASKRT_GROUP_COUNTS, "counts", NULL },
	{ TASKRT_GROUP_LONGEST, "longest", NULL },
	{ TASKRT_GROUP_SITES, "sites", NULL },
};

const size_t field_groups_count = sizeof(field_groups) / sizeof(field_groups[0]);

uint64_t field_valid_all(void)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < field_valid_count; i++)
		all |= field_valid[i].bit;
	return all;
}
