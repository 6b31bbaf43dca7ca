// SPDX-License-Identifier: GPL-2.0-only
/* What is to be shown, as the command line and the keys say it. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taskrt.h>

#include "common/clock.h"
#include "top/user.h"
#include "top/want.h"

#define SECONDS_MIN	0.1
#define SECONDS_MAX	86400.0

const struct top_want top_want_default = {
	.sort = TOP_COLUMN_CPU,
	.interval_ns = 2 * CLOCK_SECOND,
};

static __attribute__((format(printf, 2, 3))) int refuse(char *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, TOP_WHY_MAX, format, arguments);
	va_end(arguments);
	return -1;
}

int top_want_process(struct top_want *want, const char *text, char why[TOP_WHY_MAX])
{
	unsigned long value;

	if (!*text) {
		want->tgid = 0;
		return 0;
	}
	if (strspn(text, "0123456789") != strlen(text))
		return refuse(why, "'%.64s' is not a number: a process id is expected", text);
	errno = 0;
	value = strtoul(text, NULL, 10);
	if (errno || value > INT_MAX)
		return refuse(why, "'%.64s' is too large for a process id", text);
	if (!value)
		return refuse(why, "0 is not a process id");
	want->tgid = (pid_t)value;
	return 0;
}

int top_want_user(struct top_want *want, const char *text, char why[TOP_WHY_MAX])
{
	uint32_t uid = 0;

	if (*text && top_user_find(text, &uid))
		return refuse(why, "there is no user '%.64s'", text);
	want->by_user = *text != '\0';
	want->uid = uid;
	return 0;
}

int top_want_sort(struct top_want *want, const char *text, char why[TOP_WHY_MAX])
{
	int column = top_column_find(text);

	if (column < 0)
		return refuse(why, "'%.64s' is not a column: %s", text, top_column_names());
	want->sort = (enum top_column)column;
	return 0;
}

int top_want_interval(struct top_want *want, const char *text, char why[TOP_WHY_MAX])
{
	double seconds;
	char *end;

	if (!*text || strspn(text, "0123456789.") != strlen(text))
		return refuse(why, "'%.64s' is not a number: a time in seconds is expected", text);
	seconds = strtod(text, &end);
	if (*end)
		return refuse(why, "'%.64s' is not a number: a time in seconds is expected", text);
	if (seconds < SECONDS_MIN || seconds > SECONDS_MAX)
		return refuse(why, "'%.64s' is not between %.1f and %.0f seconds", text,
			      SECONDS_MIN, SECONDS_MAX);
	want->interval_ns = (uint64_t)(seconds * CLOCK_SECOND);
	return 0;
}

const char *top_want_filters(const struct top_want *want, char text[TOP_WHY_MAX])
{
	char process[32] = "", user[TOP_USER_MAX + 16] = "";

	if (want->tgid)
		snprintf(process, sizeof(process), " of process %d", want->tgid);
	if (want->by_user)
		snprintf(user, sizeof(user), "%s of user %s", *process ? "," : "",
			 top_user_name(want->uid));
	snprintf(text, TOP_WHY_MAX, "%s%s%s", process, user,
		 want->rt ? *process || *user ? ", real-time" : " real-time" : "");
	return text;
}

uint32_t top_want_groups(const struct top_want *want, unsigned int columns)
{
	if (want->json)
		return TASKRT_GROUP_TIMES | TASKRT_GROUP_COUNTS;
	columns |= 1U << want->sort;
	return TASKRT_GROUP_TIMES |
	       (columns & 1U << TOP_COLUMN_SWITCHES ? TASKRT_GROUP_COUNTS : 0);
}

int top_want_classes(const struct top_want *want)
{
	return want->rt || want->sort == TOP_COLUMN_CLASS;
}
