// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads, a line of at most 100 columns each.  The shares of a line are of the thread's
 * tracked time.  They sum to 100.0, unless there is time in a state whose cause is not known.
 */
#include <string.h>

#include "common/element.h"
#include "common/names.h"
#include "common/state.h"
#include "common/text.h"
#include "common/units.h"
#include "get/table.h"

/* The longest name has one character more, and takes a blank of the next column. */
#define STATE_WIDTH	14

static const struct {
	const char *head;
	int width;
} shares[NR_SHARES] = {
	[SHARE_CPU] = { "CPU%", 6 }, [SHARE_QUEUE] = { "QUEUE%", 7 }, [SHARE_LOCK] = { "LOCK%", 6 },
	[SHARE_FAULT] = { "FAULT%", 7 }, [SHARE_IO] = { "IO%", 6 }, [SHARE_BLOCK] = { "BLOCK%", 7 },
	[SHARE_SLEEP] = { "SLEEP%", 7 },
};

void table_begin(struct table *table, FILE *out, int with_pid)
{
	int i;

	*table = (struct table){ .out = out, .with_pid = with_pid };
	if (with_pid)
		fprintf(out, "%7s ", "PID");
	fprintf(out, "%7s %-15s %-*s", "TID", "COMM", STATE_WIDTH, "STATE");
	for (i = 0; i < NR_SHARES; i++)
		fprintf(out, "%*s", shares[i].width, shares[i].head);
	fprintf(out, " %7s\n", "MAXWAIT");
}

/* @longer: how much the state before the first share is longer than its column. */
static void print_shares(struct table *table, const struct taskrt_reading *reading, int longer)
{
	/* The last part is the time of states without a column. */
	uint64_t parts[NR_SHARES + 1] = { 0 };
	unsigned int permille[NR_SHARES + 1];
	int measured[NR_SHARES + 1] = { 0 }, i;
	struct element state;
	char text[UNITS_MAX];

	for_each_element(&state, reading, TASKRT_NAME_STATE) {
		parts[state_share(state.number)] += state.ns;
		measured[state_share(state.number)] |= state.timed;
	}
	units_shares(permille, parts, NR_SHARES + 1);
	for (i = 0; i < NR_SHARES; i++) {
		if (!measured[i])
			table->missing = 1;
		fprintf(table->out, " %*s", shares[i].width - 1 - (i ? 0 : longer),
			measured[i] ? units_share(text, permille[i]) : "-");
	}
}

/* The longest wait for a CPU, which `perf sched latency` calls its maximum delay. */
static void print_max_wait(struct table *table, const struct taskrt_reading *reading)
{
	uint64_t longest = 0;
	struct element state;
	char text[UNITS_MAX];
	int measured = 0;

	for_each_element(&state, reading, TASKRT_NAME_STATE) {
		if (!state.peaked || state_share(state.number) != SHARE_QUEUE)
			continue;
		measured = 1;
		longest = state.longest.ns > longest ? state.longest.ns : longest;
	}
	if (!measured)
		table->missing = 1;
	fprintf(table->out, " %7s\n", measured ? units_time(text, longest) : "-");
}

static void print_id(struct table *table, int known, uint32_t id)
{
	if (known)
		fprintf(table->out, "%7u ", id);
	else
		fprintf(table->out, "%7s ", "-");
}

void table_row(struct table *table, const struct taskrt_reading *reading)
{
	const struct taskrt_stats *stats = &reading->stats;
	int known = taskrt_has(stats, TASKRT_VALID_IDENTITY);
	int stated = taskrt_has(stats, TASKRT_VALID_STATE);
	char name[sizeof(stats->comm)];
	const char *comm = "-", *state = stated ? names_state(stats->state) : "-";
	const int length = (int)strlen(state);

	if (!known || !stated)
		table->missing = 1;
	if (table->with_pid)
		print_id(table, known, stats->tgid);
	print_id(table, known, stats->tid);
	if (known)
		comm = text_safe(name, sizeof(name), stats->comm, sizeof(stats->comm));
	fprintf(table->out, "%s%*s %-*s", comm, text_padding(comm, 15), "", STATE_WIDTH, state);
	print_shares(table, reading, length > STATE_WIDTH ? length - STATE_WIDTH : 0);
	print_max_wait(table, reading);
}

void table_end(struct table *table)
{
	if (table->missing)
		fprintf(table->out, "- not measured; 'taskrt diagnose' shows why\n");
}
