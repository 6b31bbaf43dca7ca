// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads, a line each of at most 100 columns.  The shares of a line are
 * of the thread's tracked time and sum to 100.0: every state is in one of them.
 */
#include "field.h"
#include "rank.h"
#include "table.h"
#include "text.h"
#include "units.h"

enum { CPU, QUEUE, LOCK, FAULT, IO, BLOCK, SLEEP, NR_SHARES };

static const struct {
	const char *head;
	int width;
} shares[NR_SHARES] = {
	[CPU] = { "CPU%", 6 }, [QUEUE] = { "QUEUE%", 7 }, [LOCK] = { "LOCK%", 6 },
	[FAULT] = { "FAULT%", 7 }, [IO] = { "IO%", 6 }, [BLOCK] = { "BLOCK%", 7 },
	[SLEEP] = { "SLEEP%", 7 },
};

static const int share_of[TASKRT_NR_STATES] = {
	[TASKRT_STATE_RUNNING] = CPU,
	[TASKRT_STATE_PREEMPTED] = QUEUE,
	[TASKRT_STATE_WOKEN] = QUEUE,
	[TASKRT_STATE_BLOCKED_LOCK] = LOCK,
	[TASKRT_STATE_BLOCKED_FAULT] = FAULT,
	[TASKRT_STATE_BLOCKED_IO] = IO,
	[TASKRT_STATE_BLOCKED_OTHER] = BLOCK,
	[TASKRT_STATE_SLEEPING_FUTEX] = SLEEP,
	[TASKRT_STATE_SLEEPING_POLL] = SLEEP,
	[TASKRT_STATE_SLEEPING_TIMER] = SLEEP,
	[TASKRT_STATE_SLEEPING] = SLEEP,
	[TASKRT_STATE_STOPPED] = SLEEP,
};

void table_begin(struct table *table, FILE *out, int with_pid)
{
	int i;

	*table = (struct table){ .out = out, .with_pid = with_pid };
	if (with_pid)
		fprintf(out, "%7s ", "PID");
	fprintf(out, "%7s %-15s %-14s", "TID", "COMM", "STATE");
	for (i = 0; i < NR_SHARES; i++)
		fprintf(out, "%*s", shares[i].width, shares[i].head);
	fprintf(out, " %7s\n", "MAXWAIT");
}

static void print_shares(struct table *table, const struct taskrt_stats *stats)
{
	uint64_t parts[NR_SHARES] = { 0 };
	unsigned int permille[NR_SHARES], state;
	int measured[NR_SHARES] = { 0 }, i;
	char text[UNITS_MAX];

	for (state = 0; state < TASKRT_NR_STATES; state++) {
		if (!rank_measured(stats, state))
			continue;
		parts[share_of[state]] += stats->states_ns[state];
		measured[share_of[state]] = 1;
	}
	units_shares(permille, parts, NR_SHARES);
	for (i = 0; i < NR_SHARES; i++) {
		if (!measured[i])
			table->missing = 1;
		fprintf(table->out, "%*s", shares[i].width,
			measured[i] ? units_share(text, permille[i]) : "-");
	}
}

/* The longest wait for a CPU, which `perf sched latency` calls its maximum delay. */
static void print_max_wait(struct table *table, const struct taskrt_stats *stats)
{
	uint64_t preempted = stats->longest_state[TASKRT_STATE_PREEMPTED].ns;
	uint64_t woken = stats->longest_state[TASKRT_STATE_WOKEN].ns;
	uint64_t longest = preempted > woken ? preempted : woken;
	int measured = taskrt_has(stats, TASKRT_VALID_LONGEST_STATE);
	char text[UNITS_MAX];

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

void table_row(struct table *table, const struct taskrt_stats *stats)
{
	int known = taskrt_has(stats, TASKRT_VALID_IDENTITY);
	int stated = taskrt_has(stats, TASKRT_VALID_STATE);
	char comm[sizeof(stats->comm)];

	if (!known || !stated)
		table->missing = 1;
	if (table->with_pid)
		print_id(table, known, stats->tgid);
	print_id(table, known, stats->tid);
	text_safe(comm, sizeof(comm), stats->comm, sizeof(stats->comm));
	fprintf(table->out, "%-15s %-14s", known ? comm : "-",
		stated ? field_state_name(stats->state) : "-");
	print_shares(table, stats);
	print_max_wait(table, stats);
}

void table_end(struct table *table)
{
	if (table->missing)
		fprintf(table->out, "- not measured; 'taskrt diagnose' tells why\n");
}
