// SPDX-License-Identifier: GPL-2.0-only
/* What was measured, as JSON, with every sample. */
#include "bench/document.h"
#include "common/json.h"

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

void document_print(FILE *out, const struct result *result)
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
