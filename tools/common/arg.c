// SPDX-License-Identifier: GPL-2.0-only
/* The options and arguments of the command line. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arg.h"
#include "common/command.h"
#include "common/error.h"

static __attribute__((format(printf, 2, 3))) int refuse(char *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, ARG_WHY_MAX, format, arguments);
	va_end(arguments);
	return -1;
}

int arg_read_pid(const char *text, pid_t *pid, char why[ARG_WHY_MAX])
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	unsigned long value;

	if (!*digits || strspn(digits, "0123456789") != strlen(digits))
		return refuse(why, "'%.64s' is not a number: a thread or process id is expected",
			      text);
	if (digits != text)
		return refuse(why, "'%.64s' is negative: a thread or process id is expected", text);
	errno = 0;
	value = strtoul(text, NULL, 10);
	if (errno || value > INT_MAX)
		return refuse(why, "'%.64s' is too large for a thread or process id", text);
	if (!value)
		return refuse(why, "0 is not a thread or process id");
	*pid = (pid_t)value;
	return 0;
}

int arg_number(const char *text, const char *what, uint64_t *number)
{
	unsigned long long value;

	if (!*text || strspn(text, "0123456789") != strlen(text))
		return error_usage("'%s' is not a number: %s is expected", text, what);
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno)
		return error_usage("'%s' is too large for %s", text, what);
	if (!value)
		return error_usage("0 is not allowed as %s", what);
	*number = value;
	return 0;
}

/* A limit whose nanoseconds fit into 64 bits. */
#define SECONDS_MAX	1e9

int arg_read_seconds(const char *text, double min, double max, uint64_t *ns, char why[ARG_WHY_MAX])
{
	double seconds;
	char *end;

	seconds = strtod(text, &end);
	if (!*text || *end || strspn(text, "0123456789.") != strlen(text))
		return refuse(why, "'%.64s' is not a number: a time in seconds is expected", text);
	if (seconds < min || seconds > max)
		return refuse(why, "'%.64s' is not between %g and %.0f seconds", text, min, max);
	*ns = (uint64_t)(seconds * 1e9);
	return 0;
}

int arg_seconds(const char *text, uint64_t *ns)
{
	char why[ARG_WHY_MAX];

	return arg_read_seconds(text, 0.001, SECONDS_MAX, ns, why) ? error_usage("%s", why) : 0;
}

int arg_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	size_t i, digits = strspn(text, "0123456789.");
	char *end;
	double number = digits ? strtod(text, &end) : 0;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (digits && end == text + digits && !strcmp(end, units[i].name))
			break;
	if (i == sizeof(units) / sizeof(units[0]))
		return error_usage("'%s' is not a time with a unit, such as 500us, 2ms or 1.5s",
				   text);
	number *= units[i].ns;
	if (number < 1 || number > SECONDS_MAX * 1e9)
		return error_usage("'%s' is not between 1ns and 1000000000 seconds", text);
	*ns = (uint64_t)number;
	return 0;
}

/* The argument that contains optopt; optind is the next one after its last letter. */
static const char *letters_given(char **argv)
{
	const char *before = argv[optind - 1];

	return before[0] == '-' && before[strlen(before) - 1] == optopt ? before : argv[optind];
}

/* A known letter is an error only if its long option was given a value. */
static int is_known(const struct option *options)
{
	while (options->name && options->val != optopt)
		options++;
	return options->name != NULL;
}

/* getopt_long() has found no option: the name is unknown, or abbreviates several names. */
static int bad_long_option(const struct option *options, const char *given)
{
	size_t length = strcspn(given, "="), used = 0;
	char candidates[512] = "";
	int count = 0;

	for (; options->name && used < sizeof(candidates); options++) {
		if (strncmp(options->name, given + 2, length - 2))
			continue;
		used += (size_t)snprintf(candidates + used, sizeof(candidates) - used, "%s--%s",
					 count++ ? ", " : "", options->name);
	}
	if (!count)
		return error_usage("unknown option '%s'", given);
	return error_usage("option '%.*s' is ambiguous: %s", (int)length, given, candidates);
}

/* Report the error of getopt_long(). */
static int bad_option(int answer, const struct option *options, char **argv)
{
	const char *given = argv[optind - 1];

	if (answer == ':' && !strncmp(given, "--", 2))
		return error_usage("option '%s' needs a value", given);
	if (answer == ':')
		return error_usage("option '-%c' needs a value", optopt);
	if (!optopt)
		return bad_long_option(options, given);
	if (is_known(options))
		return error_usage("option '%.*s' takes no value", (int)strcspn(given, "="), given);
	if (optopt >= '0' && optopt <= '9')
		return error_usage("'%s' is negative: a thread or process id is expected",
				   letters_given(argv));
	return error_usage("unknown option '-%c'", optopt);
}

#define OPTIONS_MAX	64	/* far more than any command has */

/* For getopt_long(): the options, with an empty one at the end, and their letters. */
struct tables {
	struct option options[OPTIONS_MAX + 1];
	char letters[2 * OPTIONS_MAX + sizeof("+:")];
	size_t count;
	int given[OPTIONS_MAX];
};

static void append(struct tables *tables, const struct option *from)
{
	for (; from->name && tables->count < OPTIONS_MAX; from++) {
		size_t used = strlen(tables->letters);

		tables->options[tables->count++] = *from;
		if (from->val >= ARG_WITHOUT_LETTER)
			continue;
		tables->letters[used] = (char)from->val;
		if (from->has_arg)
			tables->letters[used + 1] = ':';
	}
}

static int adds_up(const struct arg_options *options, int letter)
{
	return letter < ARG_WITHOUT_LETTER && options->repeated &&
	       strchr(options->repeated, letter);
}

static int take(const struct arg_options *options, struct tables *tables, int letter)
{
	size_t i = 0;

	while (tables->options[i].val != letter)
		i++;
	if (tables->options[i].has_arg && tables->given[i]++ && !adds_up(options, letter))
		return error_usage("--%s was given twice", tables->options[i].name);
	return options->take(options->request, letter);
}

int arg_take_options(const struct arg_options *options, int argc, char **argv)
{
	static const struct option common[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct tables tables = { .letters = ":" };
	int letter, status = 0;

	if (options->leading)
		strcpy(tables.letters, "+:");
	append(&tables, options->own);
	append(&tables, common);
	while (!status &&
	       (letter = getopt_long(argc, argv, tables.letters, tables.options, NULL)) != -1) {
		if (letter == 'j')
			*options->json = 1;
		else if (letter == 'h')
			status = STATUS_HELP;
		else if (letter == ':' || letter == '?')
			status = bad_option(letter, tables.options, argv);
		else
			status = take(options, &tables, letter);
	}
	return status;
}
