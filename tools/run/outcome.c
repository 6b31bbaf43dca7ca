// SPDX-License-Identifier: GPL-2.0-only
/* How a command that was run has ended, and where its time and its descendants' went. */
#include <string.h>
#include <sys/wait.h>

#include "common/reading_json.h"
#include "common/text.h"
#include "common/units.h"
#include "report/report.h"
#include "run/run.h"

static void print_end(FILE *out, const struct child *child)
{
	char elapsed[UNITS_MAX], name[256];
	int status = child->wait_status;

	text_safe(name, sizeof(name), child->argv[0], strlen(child->argv[0]));
	fprintf(out, "taskrt: %s: ", name);
	if (WIFSIGNALED(status))
		fprintf(out, "ended by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		fprintf(out, "exit status %d", WEXITSTATUS(status));
	fprintf(out, " after %s\n", units_time(elapsed, child->ended_ns - child->began_ns));
}

static void print_usage(FILE *out, const struct child *child)
{
	char real[UNITS_MAX], user[UNITS_MAX], sys[UNITS_MAX];

	fprintf(out, "real %s, user %s, sys %s (waited-for descendants included)\n",
		units_time(real, child->ended_ns - child->began_ns),
		units_time(user, child_timeval_ns(&child->usage.ru_utime)),
		units_time(sys, child_timeval_ns(&child->usage.ru_stime)));
}

/* The part of the elapsed time in which the main thread did not exist. */
static uint64_t not_alive(const struct child *child)
{
	uint64_t elapsed = child->ended_ns - child->began_ns;
	uint64_t tracked = child->main_thread.stats.tracked_time_ns;

	if (!taskrt_has(&child->main_thread.stats, TASKRT_VALID_CLOCK))
		return 0;
	return elapsed > tracked ? elapsed - tracked : 0;
}

/* When the command started, by the module's clock; 0: not known. */
static uint64_t start_ns(const struct child *child)
{
	const struct taskrt_stats *stats = &child->process.stats;

	return taskrt_has(stats, TASKRT_VALID_CLOCK) ? stats->start_time_ns : 0;
}

static void print_threads(FILE *out, const struct child *child)
{
	const struct taskrt_stats *process = &child->process.stats;
	char time[UNITS_MAX];

	if (!taskrt_has(process, TASKRT_VALID_THREADS) ||
	    process->threads + process->threads_gone <= 1) {
		fprintf(out, "\n");
		report_waits(out, &child->process, start_ns(child));
		report_cycles(out, "  ", &child->process);
		return;
	}
	fprintf(out, "\nIts %llu threads together, in %s of thread time, were:\n",
		process->threads + process->threads_gone,
		units_time(time, process->tracked_time_ns));
	report_states(out, &child->process, child->process_sites, 0, start_ns(child));
	fprintf(out, "\n");
	report_waits(out, &child->process, start_ns(child));
	report_cycles(out, "  ", &child->process);
}

static void print_sum(FILE *out, const struct taskrt_reading *sum, uint64_t start)
{
	char time[UNITS_MAX];

	fprintf(out, "Descendants that have ended: %llu thread%s, in %s of thread time:\n",
		sum->stats.threads_gone, units_plural(sum->stats.threads_gone, "s"),
		units_time(time, sum->stats.tracked_time_ns));
	report_states(out, sum, NULL, 0, start);
	fprintf(out, "\n");
	report_waits(out, sum, start);
	report_cycles(out, "  ", sum);
	fprintf(out, "\n");
}

static void print_descendants(FILE *out, const struct child *child)
{
	const struct descendants *descendants = &child->descendants;

	if (descendants->error)
		fprintf(out, "Descendants are not known: %s\n", descendants->text);
	else if (descendants_any(descendants))
		print_sum(out, &descendants->sum, start_ns(child));
	else
		fprintf(out, "Descendants: none has ended.\n");
	if (descendants->sum.stats.flags & TASKRT_FLAG_INCOMPLETE)
		fprintf(out, "Threads of them were not tracked, and are missing.\n");
	if (descendants->still_run)
		fprintf(out, "Descendants that still run are not counted.\n");
	if (descendants->pending)
		fprintf(out,
			"The totals of some were not final after 5 s; descendants may be missing.\n");
}

/* The verdict covers all that ran: the work of a build is done by descendants. */
static void print_verdict(FILE *out, const struct child *child)
{
	const int all = descendants_any(&child->descendants);
	struct taskrt_reading sum = child->process;

	if (child->error)
		return;
	if (all)
		sum_add(&sum, &child->descendants.sum);
	report_verdict(out, all ? "verdict, of its and its descendants' time: " :
					"verdict, of its threads' time: ", &sum, NULL);
}

void outcome_print(FILE *out, const struct child *child)
{
	char elapsed[UNITS_MAX];

	print_end(out, child);
	if (child->error) {
		fprintf(out, "Where its time went is not known: %s\n", child->error_text);
	} else {
		fprintf(out, "\nOf %s elapsed, its main thread was:\n",
			units_time(elapsed, child->ended_ns - child->began_ns));
		report_states(out, &child->main_thread, child->main_thread_sites,
			      not_alive(child), start_ns(child));
		print_threads(out, child);
	}
	fprintf(out, "\n");
	print_descendants(out, child);
	print_usage(out, child);
	print_verdict(out, child);
}

static void put_command(struct json *json, char **argv)
{
	json_array(json, "command");
	for (; *argv; argv++)
		json_string(json, NULL, *argv);
	json_end(json);
}

static void put_children(struct json *json, const struct descendants *descendants)
{
	static const struct taskrt_reading nothing;
	const struct taskrt_reading *sum = descendants->error ? &nothing : &descendants->sum;

	json_object(json, "children");
	json_text(json, "error", descendants->error ? descendants->text : NULL,
		  sizeof(descendants->text));
	json_bool(json, "pending", descendants->pending);
	json_bool(json, "still_running", descendants->still_run);
	json_number_if(json, "threads", taskrt_has(&sum->stats, TASKRT_VALID_THREADS),
		       sum->stats.threads_gone);
	json_put_sum(json, sum);
	json_end(json);
}

void outcome_print_json(FILE *out, const struct child *child)
{
	struct json report = { .out = out, .on_lines = true }, *json = &report;
	int status = child->wait_status, known = !child->error;

	json_object(json, NULL);
	put_command(json, child->argv);
	json_integer(json, "pid", child->pid);
	json_integer_if(json, "exit_code", WIFEXITED(status), WEXITSTATUS(status));
	json_integer_if(json, "signal", WIFSIGNALED(status), WTERMSIG(status));
	json_number(json, "elapsed_ns", child->ended_ns - child->began_ns);
	json_number(json, "user_time_ns", child_timeval_ns(&child->usage.ru_utime));
	json_number(json, "system_time_ns", child_timeval_ns(&child->usage.ru_stime));
	json_text(json, "error", known ? NULL : child->error_text, sizeof(child->error_text));
	json_task(json, "process", known ? &child->process : NULL, child->process_sites);
	json_task(json, "main_thread", known ? &child->main_thread : NULL,
		  child->main_thread_sites);
	put_children(json, &child->descendants);
	json_end(json);
}
