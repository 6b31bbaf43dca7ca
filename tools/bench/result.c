// SPDX-License-Identifier: GPL-2.0-only
/* What was measured is printed, as a table or as JSON. */
#include <string.h>

#include "bench/result.h"
#include "common/json.h"
#include "common/text.h"
#include "common/units.h"

#define CELL_MAX	40
#define RANGE_MAX	(2 * CELL_MAX + 8)

static const char *or_unknown(const char *text)
{
	return *text ? text : "not known";
}

static const char *hypervisor(const struct machine *machine)
{
	return machine->hypervisor < 0 ? "not known whether under a hypervisor" :
	       machine->hypervisor ? "under a hypervisor" : "no hypervisor";
}

static void print_machine(FILE *out, const struct result *result)
{
	const struct machine *machine = &result->machine;

	text_line(out, "kernel     %s %s, %s", machine->kernel, machine->architecture,
		  machine->version);
	text_line(out, "processor  %s; %ld online, %s", or_unknown(machine->processor),
		  machine->processors, hypervisor(machine));
	text_line(out, "           governor %s, clock %s", or_unknown(machine->governor),
		  or_unknown(machine->clocksource));
	text_line(out, "module     %.31s, %llu thread%s", result->info.module_version,
		  (unsigned long long)result->info.threads,
		  units_plural(result->info.threads, "s"));
}

static void print_place(FILE *out, const struct alternation *a)
{
	fprintf(out, "measured   %zu %s in %.1f s, %.1f ms each, on CPU %d\n\n", a->pairs,
		a->parameter < 0 ? "times" : a->pairs == 1 ? "pair of off and on" :
		"pairs of off and on", (double)a->elapsed_ns / CLOCK_SECOND,
		(double)a->slice_ns / CLOCK_MS, a->site.cpu);
}

static int has_any(const struct alternation *a, int is_call)
{
	size_t i;

	for (i = 0; i < a->nr_series; i++)
		if (a->series[i].event->is_call == is_call)
			return 1;
	return 0;
}

/* The fraction of a longer time is noise. */
static const char *number(char text[CELL_MAX], double ns)
{
	snprintf(text, CELL_MAX, "%.*f", ns < 10000 && ns > -10000 ? 1 : 0, ns);
	return text;
}

static const char *limits(char text[RANGE_MAX], const struct spread *spread)
{
	char low[CELL_MAX], high[CELL_MAX];

	if (!spread->bounded)
		return "-";
	snprintf(text, RANGE_MAX, "%s to %s", number(low, spread->low),
		 number(high, spread->high));
	return text;
}

static void print_head(FILE *out, int is_call)
{
	if (is_call)
		fprintf(out, "%-9s %-44s %12s  %s\n", "CALL", "", "TAKES ns", "95 %");
	else
		fprintf(out, "%-9s %-22s %10s %10s %12s  %s\n", "EVENT", "", "OFF ns", "ON ns",
			"ADDED ns", "95 %");
}

static const char *verdict(const struct spread *added)
{
	if (!added->bounded)
		return "  too few pairs";
	return spread_has_zero(added) ? "  within the noise" : "";
}

static void print_event(FILE *out, const struct series *series)
{
	char off_ns[CELL_MAX], on_ns[CELL_MAX], ns[CELL_MAX], cell[CELL_MAX + 2];
	struct spread off, on, added;
	char range[RANGE_MAX];

	series_spread(series, 0, &off);
	series_spread(series, 1, &on);
	series_added(series, &added);
	number(ns, added.median);
	snprintf(cell, sizeof(cell), spread_has_zero(&added) ? "(%s)" : "%s", ns);
	fprintf(out, "%-9s %-22s %10s %10s %12s  %s%s\n", series->event->name,
		series->event->what, number(off_ns, off.median), number(on_ns, on.median), cell,
		limits(range, &added), verdict(&added));
}

static void print_call(FILE *out, const struct series *series)
{
	char ns[CELL_MAX], range[RANGE_MAX];
	struct spread takes;

	series_spread(series, 1, &takes);
	fprintf(out, "%-9s %-44s %12s  %s\n", series->event->name, series->event->what,
		number(ns, takes.median), limits(range, &takes));
}

static void print_series(FILE *out, const struct series *series)
{
	if (*series->why)
		text_line(out, "%-9s %-22s not measured: %s", series->event->name,
			  series->event->what, series->why);
	else if (series->event->is_call)
		print_call(out, series);
	else
		print_event(out, series);
}

static void print_part(FILE *out, const struct alternation *a, int is_call)
{
	size_t i;

	if (!has_any(a, is_call))
		return;
	print_head(out, is_call);
	for (i = 0; i < a->nr_series; i++)
		if (a->series[i].event->is_call == is_call)
			print_series(out, &a->series[i]);
	fputc('\n', out);
}

static void print_check(FILE *out, const struct series *series)
{
	const struct event *event = series->event;

	if (series->checks)
		fprintf(out, "%s: %.2f %s", event->name, series_check(series), event->check);
	if (series->checks && !series_is_as_expected(series))
		fprintf(out, ", but %.2f to %.2f are expected: the row is not what its name says",
			event->least, event->most);
	if (series->checks)
		fputc('\n', out);
	if (event->remark)
		fprintf(out, "%s: %s\n", event->name, event->remark);
	if (series->note)
		fprintf(out, "%s: %s\n", event->name, series->note);
}

void result_print(FILE *out, const struct result *result)
{
	const struct alternation *a = &result->alternation;
	size_t i;

	print_machine(out, result);
	print_place(out, a);
	print_part(out, a, 0);
	print_part(out, a, 1);
	for (i = 0; i < a->nr_series; i++)
		if (!*a->series[i].why)
			print_check(out, &a->series[i]);
	if (has_any(a, 0))
		fputs("ADDED is the median of on minus off, pair by pair.  (In parentheses: as far as these\n"
		      "pairs show, it may be 0 or less.)\n", out);
	fputs("95 %: the limits that contain the true median with this probability.\n", out);
}

static void put_machine(struct json *json, const struct machine *machine)
{
	json_object(json, "machine");
	json_string_if_any(json, "kernel", machine->kernel);
	json_string_if_any(json, "kernel_version", machine->version);
	json_string_if_any(json, "architecture", machine->architecture);
	json_string_if_any(json, "processor", machine->processor);
	json_integer(json, "processors", machine->processors);
	json_bool_if(json, "hypervisor", machine->hypervisor >= 0, machine->hypervisor);
	json_string_if_any(json, "governor", machine->governor);
	json_string_if_any(json, "clocksource", machine->clocksource);
	json_end(json);
}

static void put_samples(struct json *json, const char *name, const double *ns, size_t count)
{
	size_t i;

	json_array(json, name);
	for (i = 0; i < count; i++)
		json_decimal(json, NULL, ns[i], 1);
	json_end(json);
}

static void put_limits(struct json *json, const struct spread *spread)
{
	json_decimal_if(json, "low_ns", spread->bounded, spread->low, 1);
	json_decimal_if(json, "high_ns", spread->bounded, spread->high, 1);
}

static void put_event(struct json *json, const struct series *series)
{
	struct spread off, on, added;

	series_spread(series, 0, &off);
	series_spread(series, 1, &on);
	series_added(series, &added);
	json_decimal_if(json, "off_ns", off.count, off.median, 1);
	json_decimal_if(json, "on_ns", on.count, on.median, 1);
	json_decimal_if(json, "added_ns", added.count, added.median, 1);
	put_limits(json, &added);
	json_bool_if(json, "within_noise", added.count, spread_has_zero(&added));
	json_decimal_if(json, "check", series->checks, series_check(series), 3);
	json_bool_if(json, "as_expected", series->checks, series_is_as_expected(series));
	put_samples(json, "samples_off_ns", series->ns[0], series->count);
	put_samples(json, "samples_on_ns", series->ns[1], series->count);
}

static void put_call(struct json *json, const struct series *series)
{
	struct spread takes;

	series_spread(series, 1, &takes);
	json_decimal_if(json, "ns", takes.count, takes.median, 1);
	put_limits(json, &takes);
	put_samples(json, "samples_ns", series->ns[1], series->count);
}

static void put_series(struct json *json, const struct series *series)
{
	json_object(json, NULL);
	json_string(json, "name", series->event->name);
	json_string(json, "what", series->event->what);
	json_string_if_any(json, "why_not", series->why);
	json_string(json, "note", series->note);
	if (series->event->is_call)
		put_call(json, series);
	else
		put_event(json, series);
	json_end(json);
}

static void put_part(struct json *json, const char *name, const struct alternation *a, int is_call)
{
	size_t i;

	json_array(json, name);
	for (i = 0; i < a->nr_series; i++)
		if (a->series[i].event->is_call == is_call)
			put_series(json, &a->series[i]);
	json_end(json);
}

void result_print_json(FILE *out, const struct result *result)
{
	struct json document = { .out = out, .on_lines = true }, *json = &document;
	const struct alternation *a = &result->alternation;

	json_object(json, NULL);
	put_machine(json, &result->machine);
	json_text(json, "module_version", result->info.module_version,
		  sizeof(result->info.module_version));
	json_string(json, "library_version", taskrt_version());
	json_number(json, "threads", result->info.threads);
	json_integer(json, "cpu", a->site.cpu);
	json_number(json, "pairs", a->pairs);
	json_number(json, "elapsed_ns", a->elapsed_ns);
	json_number(json, "slice_ns", a->slice_ns);
	json_bool(json, "stopped", a->stopped);
	put_part(json, "events", a, 0);
	put_part(json, "calls", a, 1);
	json_end(json);
}
