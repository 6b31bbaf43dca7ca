// SPDX-License-Identifier: GPL-2.0-only
/* A round as one line of JSON. */
#include <string.h>

#include "common/names.h"
#include "common/reading_json.h"
#include "top/top.h"

static void put_identity(struct json *json, const struct top_row *row)
{
	const struct top_class *class = &row->class;
	int known = class->asked && class->policy >= 0;

	json_number(json, "tid", row->tid);
	json_number(json, "tgid", row->tgid);
	json_number(json, "uid", row->uid);
	json_string(json, "user", top_user_name(row->uid));
	json_text(json, "comm", row->comm, sizeof(row->comm));
	json_string(json, "state", names_state(row->state));
	json_string(json, "class", known ? top_class_name(class) : NULL);
	json_number_if(json, "priority", known, (uint64_t)class->priority);
	json_number(json, "start_time_ns", row->start_time_ns);
}

static void put_shares(struct json *json, const struct top_row *row)
{
	unsigned int permille[NR_SHARES], i;

	json_object(json, "percent");
	top_row_permille(row, permille);
	for (i = 0; i < NR_SHARES; i++) {
		int measured;

		top_row_share_ns(row, i, &measured);
		json_decimal_if(json, top_columns[TOP_COLUMN_CPU + i].name, measured,
				permille[i] / 10.0, 1);
	}
	json_end(json);
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

static void put_row(struct json *json, const struct top_row *row)
{
	const struct taskrt_reading reading = spent(row);

	json_object(json, NULL);
	put_identity(json, row);
	json_number_if(json, "elapsed_ns", row->known, row->base_ns);
	json_put_times(json, "states", &reading, TASKRT_NAME_STATE);
	put_shares(json, row);
	json_put_values(json, &reading);
	json_end(json);
}

/* How many threads were in the states of each share, on average. */
static void put_means(struct json *json, const struct top_order *order)
{
	int i;

	json_object(json, "mean");
	for (i = 0; i < NR_SHARES; i++)
		json_decimal_if(json, top_columns[TOP_COLUMN_CPU + i].name,
				order->mean[i] != TOP_UNKNOWN, order->mean[i], 3);
	json_end(json);
}

void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order)
{
	struct json json = { .out = out };
	size_t i;

	json_object(&json, NULL);
	json_number(&json, "sample_time_ns", round->time_ns);
	json_number(&json, "elapsed_ns", round->elapsed_ns);
	json_number(&json, "threads", round->count);
	json_number(&json, "new", round->born);
	json_number(&json, "gone", round->gone);
	json_bool(&json, "incomplete", round->incomplete);
	json_number(&json, "matching", order->matching);
	put_means(&json, order);
	json_array(&json, "tasks");
	for (i = 0; i < order->count; i++)
		put_row(&json, order->places[i].row);
	json_end(&json);
	json_end(&json);
}
