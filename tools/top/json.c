// SPDX-License-Identifier: GPL-2.0-only
/* A round as one line of JSON. */
#include <string.h>

#include "common/error.h"
#include "common/names.h"
#include "common/reading_json.h"
#include "common/units.h"
#include "top/json.h"
#include "top/user.h"

static void put_identity(struct json_object *task, const struct top_row *row)
{
	const struct top_class *class = &row->class;
	int known = class->asked && class->policy >= 0;

	json_put(task, "tid", json_new_number(row->tid));
	json_put(task, "tgid", json_new_number(row->tgid));
	json_put(task, "uid", json_new_number(row->uid));
	json_put(task, "user", json_string(top_user_name(row->uid)));
	json_put(task, "comm", json_text(row->comm, sizeof(row->comm)));
	json_put(task, "state", json_string(names_state(row->state)));
	json_put(task, "class", known ? json_string(top_class_name(class)) : NULL);
	json_put(task, "priority", json_number_if(known, (uint64_t)class->priority));
	json_put(task, "start_time_ns", json_new_number(row->start_time_ns));
}

/* A number with as many digits as its text has. */
static struct json_object *decimal(double value, const char *text)
{
	struct json_object *object = json_object_new_double_s(value, text);

	if (!object)
		error_no_memory();
	return object;
}

static struct json_object *percent(unsigned int permille)
{
	char text[UNITS_MAX];

	return decimal(permille / 10.0, units_share(text, permille));
}

static void put_shares(struct json_object *task, const struct top_row *row)
{
	struct json_object *shares = json_new_object();
	unsigned int permille[NR_SHARES], i;

	top_row_permille(row, permille);
	for (i = 0; i < NR_SHARES; i++) {
		int measured;

		top_row_share_ns(row, i, &measured);
		json_put(shares, top_columns[TOP_COLUMN_CPU + i].name,
			 measured ? percent(permille[i]) : NULL);
	}
	json_put(task, "percent", shares);
}

/* What the thread did in the round, as a reading. */
static struct taskrt_reading spent(const struct top_row *row)
{
	struct taskrt_reading reading = {
		.groups = TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS,
		.stats.measured = { .states = row->states, .values = row->counted },
	};

	memcpy(reading.times.states_ns, row->states_ns, sizeof(row->states_ns));
	memcpy(reading.counts.values, row->values, sizeof(row->values));
	return reading;
}

static struct json_object *json_row(const struct top_row *row)
{
	const struct taskrt_reading reading = spent(row);
	struct json_object *task = json_new_object();

	put_identity(task, row);
	json_put(task, "elapsed_ns", json_number_if(row->known, row->base_ns));
	json_put_times(task, "states", &reading, TASKRT_NAME_STATE);
	put_shares(task, row);
	json_put_values(task, &reading);
	return task;
}

/* How many threads were in the states of each share, on average. */
static struct json_object *json_means(const struct top_order *order)
{
	struct json_object *means = json_new_object();
	char text[32];
	int i;

	for (i = 0; i < NR_SHARES; i++) {
		snprintf(text, sizeof(text), "%.3f", order->mean[i]);
		json_put(means, top_columns[TOP_COLUMN_CPU + i].name,
			 order->mean[i] == TOP_UNKNOWN ? NULL : decimal(order->mean[i], text));
	}
	return means;
}

void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order)
{
	struct json_object *object = json_new_object();
	struct json_array tasks;
	size_t i;

	json_put(object, "sample_time_ns", json_new_number(round->time_ns));
	json_put(object, "elapsed_ns", json_new_number(round->elapsed_ns));
	json_put(object, "threads", json_new_number(round->count));
	json_put(object, "new", json_new_number(round->born));
	json_put(object, "gone", json_new_number(round->gone));
	json_put(object, "incomplete", json_new_bool(round->incomplete));
	json_put(object, "matching", json_new_number(order->matching));
	json_put(object, "mean", json_means(order));
	json_array_begin_in(&tasks, out, object, "tasks");
	for (i = 0; i < order->count; i++)
		json_array_add(&tasks, json_row(order->places[i].row));
	json_array_end(&tasks);
}
