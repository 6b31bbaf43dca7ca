// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static unsigned int checks, failures;

static int say(int ok, const char *format, va_list args)
{
	failures += !ok;
	printf("%sok %u - ", ok ? "" : "not ", ++checks);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
	return ok;
}

#define SAY(ok) do {				\
	va_list args;				\
						\
	va_start(args, format);			\
	say(ok, format, args);			\
	va_end(args);				\
} while (0)

int tap_ok(int ok, const char *format, ...)
{
	SAY(!!ok);
	return !!ok;
}

static int compared(int ok, uint64_t value, const char *relation, uint64_t bound)
{
	if (!ok)
		tap_diag("got %" PRIu64 ", wanted %s %" PRIu64, value, relation, bound);
	return ok;
}

int tap_at_least(uint64_t value, uint64_t bound, const char *format, ...)
{
	SAY(value >= bound);
	return compared(value >= bound, value, "at least", bound);
}

int tap_at_most(uint64_t value, uint64_t bound, const char *format, ...)
{
	SAY(value <= bound);
	return compared(value <= bound, value, "at most", bound);
}

int tap_equal(uint64_t value, uint64_t expected, const char *format, ...)
{
	SAY(value == expected);
	return compared(value == expected, value, "exactly", expected);
}

int tap_errno(int value, int expected, const char *format, ...)
{
	int ok = abs(value) == abs(expected);

	SAY(ok);
	if (!ok)
		tap_diag("got %d (%s), wanted %d (%s)", value, strerror(abs(value)),
			 expected, strerror(abs(expected)));
	return ok;
}

void tap_skip(const char *name, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++checks, name, why);
	fflush(stdout);
}

void tap_diag(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("# ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
}

void tap_bail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("Bail out! ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
	_exit(1);
}

int tap_done(void)
{
	printf("1..%u\n", checks);
	fflush(stdout);
	return failures != 0;
}

unsigned long tap_setting(const char *name, unsigned long usual)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 0) : usual;
}
