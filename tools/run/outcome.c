// SPDX-License-Identifier: GPL-2.0-only
/* How a command that was run has ended, and where its time and its descendants' went. */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "common/reading_json.h"
#include "common/text.h"
#include "common/units.h"
#include "report/since_creation.h"
#include "report/states.h"
#include "report/verdict.h"
#include "report/waits.h"
#include "run/outcome.h"
#include "run/sum.h"

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

/* The part of the elapsed time in which the main thread did not live. */
static uint64_t not_alive(const struct child *child)
{
	uint64_t elapsed = child->ended_ns - child->began_ns;
	uint64_t tracked = child->main_thread.stats.tracked_time_ns;

	if (!taskrt_has(&child->main_thread.stats, TASKRT_VALID_CLOCK))
		return 0;
	return elapsed > tracked ? elapsed - tracked : 0;
}

/* When the command began, by the module's clock; 0: not known. */
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

/* Without exits, only the CPU time of waited-for descendants is known. */
static void print_waited_for(FILE *out, const struct child *child)
{
	char time[UNITS_MAX];
	uint64_t ns;

	fprintf(out, "Exits of descendants were not received: %s.\n", child->tracker->text);
	if (child_descendants_cpu(child, &ns))
		fprintf(out, "  Their CPU time was not measured.\n");
	else if (!ns)
		fprintf(out, "  None was waited for.\n");
	else
		fprintf(out, "  About %s of CPU time in those that were waited for; "
			"their states are not known.\n", units_time(time, ns));
}

static void print_family(FILE *out, const struct descendants_sum *sum, uint64_t start)
{
	char time[UNITS_MAX];

	if (!sum->processes) {
		fprintf(out, "Descendants: none has ended.\n");
		return;
	}
	fprintf(out, "Descendants that have ended: %" PRIu64 " process%s with %" PRIu64
		" thread%s, in %s of thread time:\n", sum->processes,
		units_plural(sum->processes, "es"), sum->threads,
		units_plural(sum->threads, "s"),
		units_time(time, sum->reading.stats.tracked_time_ns));
	report_states(out, &sum->reading, NULL, 0, start);
	fprintf(out, "\n");
	report_waits(out, &sum->reading, start);
	report_cycles(out, "  ", &sum->reading);
	fprintf(out, "\n");
}

static void print_descendants(FILE *out, const struct child *child)
{
	const struct exit_tracker *tracker = child->tracker;

	if (tracker->error) {
		print_waited_for(out, child);
		return;
	}
	print_family(out, &tracker->descendants.sum, start_ns(child));
	if (tracker->descendants.sum.reading.stats.flags & TASKRT_FLAG_INCOMPLETE)
		fprintf(out, "Threads of them were not tracked, and are missing.\n");
	if (child->descendants_run)
		fprintf(out, "Descendants that still run are not counted.\n");
	if (child->late)
		fprintf(out, "Some exits have not arrived in 5 s; descendants may be missing.\n");
	if (tracker->own)
		fprintf(out, "Descendants of another user are not counted: that needs CAP_NET_ADMIN.\n");
	if (tracker->lost)
		fprintf(out,
			"Lost: %" PRIu64
			" exit%s; some may be of descendants, which are missing above.\n",
			tracker->lost, units_plural(tracker->lost, "s"));
}

/* Of all that ran: a build is done by its descendants. */
static void print_verdict(FILE *out, const struct child *child)
{
	const struct descendants_sum *family = &child->tracker->descendants.sum;
	const int all = !child->tracker->error && family->processes;
	struct taskrt_reading sum = child->process;

	if (child->error)
		return;
	if (all)
		sum_add(&sum, &family->reading);
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

static struct json_object *json_command(char **argv)
{
	struct json_object *array = json_new_array();

	for (; *argv; argv++)
		json_append(array, json_text(*argv, strlen(*argv)));
	return array;
}

/* The children by their exits, or by rusage, which has only their CPU time. */
static struct json_object *json_children(const struct child *child)
{
	const struct exit_tracker *tracker = child->tracker;
	const struct descendants_sum *sum = &tracker->descendants.sum;
	struct taskrt_reading waited_for = { 0 };
	struct json_object *children = json_new_object();
	int known = !tracker->error;
	uint64_t cpu_ns;

	if (!known && !child_descendants_cpu(child, &cpu_ns)) {
		waited_for.stats.valid = TASKRT_VALID_CPU_TIME;
		waited_for.stats.cpu_time_ns = cpu_ns;
	}
	json_put(children, "source", known ? json_text("exits", 8) : json_text("rusage", 8));
	json_put(children, "error", known ? NULL : json_text(tracker->text, sizeof(tracker->text)));
	json_put(children, "own", known ? json_new_bool(tracker->own) : NULL);
	json_put(children, "lost", known ? json_new_number(tracker->lost) : NULL);
	json_put(children, "late", known ? json_new_bool(child->late) : NULL);
	json_put(children, "still_running", json_new_bool(child->descendants_run));
	json_put(children, "processes", known ? json_new_number(sum->processes) : NULL);
	json_put(children, "threads", known ? json_new_number(sum->threads) : NULL);
	json_put_sum(children, known ? &sum->reading : &waited_for);
	return children;
}

void outcome_print_json(FILE *out, const struct child *child)
{
	struct json_object *report = json_new_object();
	int status = child->wait_status, known = !child->error;

	json_put(report, "command", json_command(child->argv));
	json_put(report, "pid", json_new_integer(child->pid));
	json_put(report, "exit_code",
		 WIFEXITED(status) ? json_new_integer(WEXITSTATUS(status)) : NULL);
	json_put(report, "signal",
		 WIFSIGNALED(status) ? json_new_integer(WTERMSIG(status)) : NULL);
	json_put(report, "elapsed_ns", json_new_number(child->ended_ns - child->began_ns));
	json_put(report, "user_time_ns",
		 json_new_number(child_timeval_ns(&child->usage.ru_utime)));
	json_put(report, "system_time_ns",
		 json_new_number(child_timeval_ns(&child->usage.ru_stime)));
	json_put(report, "error", known ? NULL :
		 json_text(child->error_text, sizeof(child->error_text)));
	json_put(report, "process", known ?
		 json_task(&child->process, child->process_sites) : NULL);
	json_put(report, "main_thread", known ?
		 json_task(&child->main_thread, child->main_thread_sites) : NULL);
	json_put(report, "children", json_children(child));
	json_print(out, report, JSON_ON_LINES);
}
