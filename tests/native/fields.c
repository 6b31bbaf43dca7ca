// SPDX-License-Identifier: GPL-2.0-only
#include <linux/taskrt_names.h>
#include <stdio.h>

#include "fields.h"
#include "task/thread.h"

struct field {
	const char *name;
	size_t at, size;
};

#define FIELD(member) \
	{ #member, offsetof(struct thread, member), sizeof(((struct thread *)0)->member) }

static const struct field fields[] = {
	FIELD(mapping), FIELD(recorder), FIELD(task), FIELD(record.sched_seq),
	FIELD(record.state), FIELD(record.guess), FIELD(record.since),
	FIELD(record.locks), FIELD(record.tracked_since), FIELD(record.throttled_wakeups),
	FIELD(record.self_seq),
	FIELD(record.fault_depth), FIELD(record.lock_kind), FIELD(record.lock_reads),
	FIELD(record.lock_addr), FIELD(record.timers_since), FIELD(record.timers),
	FIELD(record.major_fault_ns), FIELD(more), FIELD(key), FIELD(process), FIELD(record.observed),
};

static void print(size_t at, size_t size, const char *name, const char *of, const char *member)
{
	printf("member %zu %zu %s%s%s\n", at, size, name, of, member);
}

#define STATE_MEMBER(i, member)								\
	print(offsetof(struct thread, record.states) + (i) * sizeof(struct record_time) +	\
	      offsetof(struct record_time, member),					\
	      sizeof(((struct record_time *)0)->member), taskrt_state_names[i], ".", #member)

static void print_state(size_t i)
{
	STATE_MEMBER(i, ns);
	STATE_MEMBER(i, count);
	STATE_MEMBER(i, longest.ns);
	STATE_MEMBER(i, longest.at);
}

void fields_map(void)
{
	size_t i;

	for (i = 0; i < NR_STATES; i++)
		print_state(i);
	for (i = 0; i < ARRAY_SIZE(fields); i++)
		print(fields[i].at, fields[i].size, fields[i].name, "", "");
}
