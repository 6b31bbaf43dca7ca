// SPDX-License-Identifier: GPL-2.0-only
/* What was measured, as JSON, with every sample. */
#include "bench/document.h"
#include "common/error.h"
#include "common/json.h"

static struct json_object *text_or_null(const char *text)
{
	return *text ? json_string(text) : NULL;
}

/* With one or more digits behind the point, which is a point in every language. */
static struct json_object *decimal_if(int known, double value, int digits)
{
	struct json_object *object;
	char text[64];

	if (!known)
		return NULL;
	snprintf(text, sizeof(text), "%.*f", digits, value);
	object = json_object_new_double_s(value, text);
	if (!object)
		error_no_memory();
	return object;
}

static struct json_object *json_machine(const struct machine *machine)
{
	struct json_object *object = json_new_object();

	json_put(object, "kernel", text_or_null(machine->kernel));
	json_put(object, "kernel_version", text_or_null(machine->version));
	json_put(object, "architecture", text_or_null(machine->architecture));
	json_put(object, "processor", text_or_null(machine->processor));
	json_put(object, "processors", json_new_integer(machine->processors));
	json_put(object, "hypervisor", machine->hypervisor < 0 ? NULL :
		 json_new_bool(machine->hypervisor));
	json_put(object, "governor", text_or_null(machine->governor));
	json_put(object, "clocksource", text_or_null(machine->clocksource));
	return object;
}

static struct json_object *json_samples(const double *ns, size_t count)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_append(array, decimal_if(1, ns[i], 1));
	return array;
}

static void put_limits(struct json_object *object, const struct spread *spread)
{
	json_put(object, "low_ns", decimal_if(spread->bounded, spread->low, 1));
	json_put(object, "high_ns", decimal_if(spread->bounded, spread->high, 1));
}

static void put_event(struct json_object *object, const struct series *series)
{
	struct spread off, on, added;

	series_spread(series, 0, &off);
	series_spread(series, 1, &on);
	series_added(series, &added);
	json_put(object, "off_ns", decimal_if(off.count, off.median, 1));
	json_put(object, "on_ns", decimal_if(on.count, on.median, 1));
	json_put(object, "added_ns", decimal_if(added.count, added.median, 1));
	put_limits(object, &added);
	json_put(object, "within_noise", added.count ?
		 json_new_bool(spread_has_zero(&added)) : NULL);
	json_put(object, "check", decimal_if(series->checks, series_check(series), 3));
	json_put(object, "as_expected", series->checks ?
		 json_new_bool(series_is_as_expected(series)) : NULL);
	json_put(object, "samples_off_ns", json_samples(series->ns[0], series->count));
	json_put(object, "samples_on_ns", json_samples(series->ns[1], series->count));
}

static void put_call(struct json_object *object, const struct series *series)
{
	struct spread takes;

	series_spread(series, 1, &takes);
	json_put(object, "ns", decimal_if(takes.count, takes.median, 1));
	put_limits(object, &takes);
	json_put(object, "samples_ns", json_samples(series->ns[1], series->count));
}

static struct json_object *json_series(const struct series *series)
{
	struct json_object *object = json_new_object();

	json_put(object, "name", json_string(series->event->name));
	json_put(object, "what", json_string(series->event->what));
	json_put(object, "why_not", text_or_null(series->why));
	json_put(object, "note", json_string(series->note));
	if (series->event->is_call)
		put_call(object, series);
	else
		put_event(object, series);
	return object;
}

static struct json_object *json_part(const struct alternation *a, int is_call)
{
	struct json_object *array = json_new_array();
	size_t i;

	for (i = 0; i < a->nr_series; i++)
		if (a->series[i].event->is_call == is_call)
			json_append(array, json_series(&a->series[i]));
	return array;
}

void document_print(FILE *out, const struct result *result)
{
	const struct alternation *a = &result->alternation;
	struct json_object *object = json_new_object();

	json_put(object, "machine", json_machine(&result->machine));
	json_put(object, "module_version", json_text(result->info.module_version,
						     sizeof(result->info.module_version)));
	json_put(object, "library_version", json_string(taskrt_version()));
	json_put(object, "threads", json_new_number(result->info.threads));
	json_put(object, "cpu", json_new_integer(a->site.cpu));
	json_put(object, "pairs", json_new_number(a->pairs));
	json_put(object, "elapsed_ns", json_new_number(a->elapsed_ns));
	json_put(object, "slice_ns", json_new_number(a->slice_ns));
	json_put(object, "stopped", json_new_bool(a->stopped));
	json_put(object, "events", json_part(a, 0));
	json_put(object, "calls", json_part(a, 1));
	json_print(out, object, JSON_ON_LINES);
}
