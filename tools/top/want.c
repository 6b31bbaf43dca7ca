// SPDX-License-Identifier: GPL-2.0-only
/* What is shown, as set by the command line and by keys. */
#include <stdio.h>
#include <taskrt.h>

#include "common/clock.h"
#include "top/want.h"

#define SECONDS_MIN	0.1
#define SECONDS_MAX	86400.0

const struct top_want top_want_default = {
	.sort = TOP_COLUMN_WAIT,
	.interval_ns = 2 * CLOCK_SECOND,
};

int top_want_process(struct top_want *want, const char *text, char why[ARG_WHY_MAX])
{
	struct target target = { 0 };

	if (*text && target_read(text, &target, why))
		return -1;
	want->tgid = target.id;
	/* The kernel keeps only 15 bytes of a name. */
	snprintf(want->name, sizeof(want->name), "%.15s", target.name ? target.name : "");
	return 0;
}

int top_want_user(struct top_want *want, const char *text, char why[ARG_WHY_MAX])
{
	uint32_t uid = 0;

	if (*text && top_user_find(text, &uid)) {
		snprintf(why, ARG_WHY_MAX, "there is no user '%.64s'", text);
		return -1;
	}
	want->by_user = *text != '\0';
	want->uid = uid;
	return 0;
}

int top_want_sort(struct top_want *want, const char *text, char why[ARG_WHY_MAX])
{
	int column = top_column_find(text);

	if (column < 0) {
		snprintf(why, ARG_WHY_MAX, "'%.64s' is not a column: %s", text, top_column_names());
		return -1;
	}
	want->sort = (enum top_column)column;
	return 0;
}

int top_want_interval(struct top_want *want, const char *text, char why[ARG_WHY_MAX])
{
	return arg_read_seconds(text, SECONDS_MIN, SECONDS_MAX, &want->interval_ns, why);
}

const char *top_want_filters(const struct top_want *want, char text[ARG_WHY_MAX])
{
	char process[48] = "", user[TOP_USER_MAX + 16] = "";

	if (want->tgid)
		snprintf(process, sizeof(process), " of process %d", want->tgid);
	else if (*want->name)
		snprintf(process, sizeof(process), " of processes named %s", want->name);
	if (want->by_user)
		snprintf(user, sizeof(user), "%s of user %s", *process ? "," : "",
			 top_user_name(want->uid));
	snprintf(text, ARG_WHY_MAX, "%s%s%s", process, user,
		 want->rt ? *process || *user ? ", real-time" : " real-time" : "");
	return text;
}

uint32_t top_want_groups(const struct top_want *want, unsigned int columns)
{
	const unsigned int of_counts = 1U << TOP_COLUMN_SYSTEM | 1U << TOP_COLUMN_SWITCHES |
				       1U << TOP_COLUMN_GHZ | 1U << TOP_COLUMN_CPI;

	if (want->json)
		return TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS;
	columns |= 1U << want->sort;
	return TASKRT_GROUP_TIMES | (columns & of_counts ? TASKRT_GROUP_COUNTS : 0);
}

int top_want_classes(const struct top_want *want)
{
	return want->rt || want->sort == TOP_COLUMN_CLASS;
}
