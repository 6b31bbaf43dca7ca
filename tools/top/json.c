// SPDX-License-Identifier: GPL-2.0-only
/* A round as one line of JSON. */
#include <inttypes.h>

#include "common/error.h"
#include "common/json.h"
#include "common/json_print.h"
#include "common/names.h"
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

/* As json-c would print a double, but as the table has it: with one digit. */
static struct json_object *percent(unsigned int permille)
{
	struct json_object *object;
	char text[UNITS_MAX];

	object = json_object_new_double_s(permille / 10.0, units_share(text, permille));
	if (!object)
		error_no_memory();
	return object;
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

static struct json_object *json_row(const struct top_row *row)
{
	struct json_object *task = json_new_object();

	put_identity(task, row);
	json_put(task, "elapsed_ns", json_number_if(row->known, row->base_ns));
	json_put(task, "states", json_numbers(TASKRT_NAME_STATE, 1, row->states, row->states_ns));
	put_shares(task, row);
	json_put_values(task, 1, row->counted, row->values);
	return task;
}

void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order)
{
	struct json_array tasks;
	size_t i;

	fprintf(out, "{\"sample_time_ns\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64
		",\"threads\":%zu,\"new\":%zu,\"gone\":%zu,\"incomplete\":%s,\"matching\":%zu,\"mean\":{",
		round->time_ns, round->elapsed_ns, round->count, round->born, round->gone,
		round->incomplete ? "true" : "false", order->matching);
	for (i = 0; i < NR_SHARES; i++) {
		fprintf(out, "%s\"%s\":", i ? "," : "", top_columns[TOP_COLUMN_CPU + i].name);
		if (order->mean[i] == TOP_UNKNOWN)
			fputs("null", out);
		else
			fprintf(out, "%.3f", order->mean[i]);
	}
	fputs("},\"tasks\":", out);
	json_array_begin(&tasks, out, JSON_ON_A_LINE);
	for (i = 0; i < order->count; i++)
		json_array_add(&tasks, json_row(order->places[i].row));
	json_array_end(&tasks);
	fputs("}\n", out);
}
