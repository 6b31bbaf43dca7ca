// SPDX-License-Identifier: GPL-2.0-only
/* One exit, a line of at most 135 columns, and 20 more if cycles are counted. */
#include <inttypes.h>
#include <string.h>

#include "common/element.h"
#include "common/names.h"
#include "common/text.h"
#include "common/units.h"
#include "listen/listen.h"
#include "report/report.h"

/* An instant, on a machine that has run for up to 115 days. */
#define TIME_WIDTH	14

void line_head(FILE *out)
{
	fprintf(out, "%*s %-7s %7s %7s %7s %6s %-15s %-9s %7s %7s %7s %7s %7s %s\n",
		TIME_WIDTH, "TIME", "KIND", "PID", "TID", "PPID", "UID", "COMM", "ENDED", "LIVED",
		"CPU", "QUEUE", "FAULT", "LOCK", "MOST WAITED");
}

static void print_time(FILE *out, const struct taskrt_stats *stats, uint64_t valid, uint64_t ns)
{
	char text[UNITS_MAX];

	fprintf(out, " %7s", taskrt_has(stats, valid) ? units_time(text, ns) : "-");
}

static void print_identity(FILE *out, const struct taskrt_stats *s)
{
	char comm[sizeof(s->comm)], ending[ENDING_MAX];
	int excess;

	if (!taskrt_has(s, TASKRT_VALID_IDENTITY)) {
		fprintf(out, " %7s %7s %7s %6s %-15s %-9s", "-", "-", "-", "-", "-", "-");
		return;
	}
	fprintf(out, " %7u", s->tgid);
	if (s->tid)
		fprintf(out, " %7u", s->tid);
	else
		fprintf(out, " %7s", "-");
	text_safe(comm, sizeof(comm), s->comm, sizeof(s->comm));
	/* A long uid, as in a container, takes unused room of comm. */
	excess = fprintf(out, " %7u %6u", s->ppid, s->uid) - 15;
	fprintf(out, " %s%*s %-9s", comm, text_padding(comm, 15 - excess), "",
		ending_text(ending, s->exit_code));
}

/* The state off the CPU that took the most time. */
static const char *most_waited(const struct taskrt_reading *reading)
{
	struct rank rank;
	size_t i;

	if (!reading_has_states(reading))
		return "-";
	rank_states(&rank, reading, 0);
	for (i = 0; i < rank.count; i++)
		if (rank.rows[i].state != TASKRT_STATE_RUNNING)
			return names_state(rank.rows[i].state);
	return "never";
}

static void print_loss(FILE *out, const struct taskrt_exit *exit)
{
	fprintf(out, "%*s %-7s %" PRIu64 " record%s lost here, %" PRIu64 " so far\n", TIME_WIDTH,
		"-", "LOST", exit->lost_now, exit->lost_now == 1 ? " was" : "s were", exit->lost);
}

void line_print(FILE *out, const struct taskrt_exit *exit)
{
	const struct taskrt_stats *s = &exit->reading.stats;
	uint64_t lived = s->sample_time_ns > s->start_time_ns ?
			 s->sample_time_ns - s->start_time_ns : 0;
	char text[UNITS_MAX], rates[CYCLES_MAX];

	if (exit->type == TASKRT_EXIT_LOST) {
		print_loss(out, exit);
		return;
	}
	fprintf(out, "%*s %-7s", TIME_WIDTH,
		taskrt_has(s, TASKRT_VALID_CLOCK) ? units_instant(text, s->sample_time_ns) : "-",
		exit->type == TASKRT_EXIT_THREAD ? "thread" : "process");
	print_identity(out, s);
	print_time(out, s, TASKRT_VALID_CLOCK, lived);
	print_time(out, s, TASKRT_VALID_CPU_TIME, s->cpu_time_ns);
	print_time(out, s, TASKRT_VALID_QUEUE_TIME, s->queue_time_ns);
	print_time(out, s, TASKRT_VALID_PAGE_FAULT_TIME, s->page_fault_time_ns);
	print_time(out, s, TASKRT_VALID_LOCK_TIME, s->lock_contention_time_ns);
	if (*cycles_text(rates, &exit->reading))
		fprintf(out, " %-15s %s\n", most_waited(&exit->reading), rates);
	else
		fprintf(out, " %s\n", most_waited(&exit->reading));
}
