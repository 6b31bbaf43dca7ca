// SPDX-License-Identifier: GPL-2.0-only
/* What stands on the command line. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arg.h"
#include "error.h"

int arg_pid(const char *text, pid_t *pid)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	unsigned long value;

	if (!*digits || strspn(digits, "0123456789") != strlen(digits))
		return error_usage("'%s' is not a number: a thread or process id is wanted", text);
	if (digits != text)
		return error_usage("'%s' is negative: a thread or process id is wanted", text);
	errno = 0;
	value = strtoul(text, NULL, 10);
	if (errno || value > INT_MAX)
		return error_usage("'%s' is too large for a thread or process id", text);
	if (!value)
		return error_usage("0 is no thread or process id");
	*pid = (pid_t)value;
	return 0;
}

int arg_bad_option(int answer, char **argv)
{
	const char *given = argv[optind - 1];
	int is_long = !strncmp(given, "--", 2);

	if (answer == ':' && is_long)
		return error_usage("option '%s' needs a value", given);
	if (answer == ':')
		return error_usage("option '-%c' needs a value", optopt);
	if (is_long && optopt)
		return error_usage("option '%.*s' takes no value", (int)strcspn(given, "="), given);
	if (optopt >= '0' && optopt <= '9')
		return error_usage("'%s' is negative: a thread or process id is wanted", given);
	if (is_long || !optopt)
		return error_usage("unknown option '%s'", given);
	return error_usage("unknown option '-%c'", optopt);
}
