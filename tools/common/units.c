// SPDX-License-Identifier: GPL-2.0-only
/* Times, sizes and shares as people read them. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "common/units.h"

struct unit {
	uint64_t size;
	const char *name;
};

static const struct unit time_units[] = {
	{ 1, "ns" }, { 1000, "us" }, { 1000000, "ms" }, { 1000000000, "s" },
	{ 3600ULL * 1000000000, "h" }, { 24 * 3600ULL * 1000000000, "d" },
};

/* Seconds are used up to here: 9999 s says more than 2.78 h. */
#define SECONDS_END	(10000ULL * 1000000000)

static const struct unit byte_units[] = {
	{ 1, "B" }, { 1ULL << 10, "KiB" }, { 1ULL << 20, "MiB" },
	{ 1ULL << 30, "GiB" }, { 1ULL << 40, "TiB" },
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/*
 * value in a unit with three significant digits.  A value that rounds up to one more digit (9.999)
 * takes the next coarser form (10.0).
 */
static const char *three_digits(char *text, uint64_t value, const struct unit *unit)
{
	unsigned int scale[] = { 100, 10, 1 };
	uint64_t whole = value / unit->size;
	size_t i = whole < 10 ? 0 : whole < 100 ? 1 : 2;
	unsigned int rounded = 0;	/* below 10000 */

	for (; i < COUNT(scale); i++) {
		uint64_t rest = value % unit->size;

		if (unit->size == 1)
			scale[i] = 1;
		/* In parts, because value times 100 may not fit. */
		rounded = whole * scale[i] + (rest * scale[i] + unit->size / 2) / unit->size;
		if (rounded < 1000)
			break;
	}
	if (i >= COUNT(scale) || scale[i] == 1)
		snprintf(text, UNITS_MAX, "%u %s", rounded, unit->name);
	else
		snprintf(text, UNITS_MAX, "%u.%0*u %s", rounded / scale[i], i == 0 ? 2 : 1,
			 rounded % scale[i], unit->name);
	return text;
}

/* Does value, rounded to three digits of this unit, reach the next one? */
static int belongs_to_next(uint64_t value, const struct unit *unit, const struct unit *next)
{
	return value >= next->size - (unit->size > 1 ? unit->size / 2 : 0);
}

const char *units_time(char text[UNITS_MAX], uint64_t ns)
{
	size_t i = 0;

	while (i + 1 < COUNT(time_units) &&
	       belongs_to_next(ns, &time_units[i], &time_units[i + 1])) {
		if (time_units[i].size == 1000000000 && ns < SECONDS_END)
			break;
		i++;
	}
	/* Days are used from 100 hours on, for the same reason. */
	if (i == COUNT(time_units) - 1 && ns < 100 * time_units[i - 1].size)
		i--;
	return three_digits(text, ns, &time_units[i]);
}

const char *units_instant(char text[UNITS_MAX], uint64_t ns)
{
	snprintf(text, UNITS_MAX, "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
		 ns % 1000000000 / 1000);
	return text;
}

const char *units_wall(char text[UNITS_MAX], uint64_t wall_ns, uint64_t age_ns)
{
	const time_t seconds = (time_t)(wall_ns / 1000000000);
	const int is_old = age_ns >= 86400 * 1000000000ULL;
	struct tm local;
	size_t used;

	if (!localtime_r(&seconds, &local))
		return units_instant(text, wall_ns);
	used = strftime(text, UNITS_MAX, is_old ? "%m-%d %H:%M:%S" : "%H:%M:%S", &local);
	if (!is_old)
		snprintf(text + used, UNITS_MAX - used, ".%03" PRIu64,
			 wall_ns % 1000000000 / 1000000);
	return text;
}

const char *units_bytes(char text[UNITS_MAX], uint64_t bytes)
{
	size_t i = 0;

	while (i + 1 < COUNT(byte_units) && bytes >= byte_units[i + 1].size)
		i++;
	return three_digits(text, bytes, &byte_units[i]);
}

const char *units_plural(uint64_t count, const char *plural)
{
	return count == 1 ? "" : plural;
}

const char *units_share(char text[UNITS_MAX], unsigned int permille)
{
	snprintf(text, UNITS_MAX, "%u.%u", permille / 10, permille % 10);
	return text;
}

/* All parts times 1000 must fit into 64 bits: halve all of them until they do. */
static unsigned int common_shift(const uint64_t *parts, size_t count, uint64_t *total)
{
	unsigned int shift = 0;
	uint64_t largest = 0;
	size_t i;

	for (i = 0; i < count; i++)
		largest = parts[i] > largest ? parts[i] : largest;
	while (count && (largest >> shift) > UINT64_MAX / 1000 / count)
		shift++;
	for (*total = 0, i = 0; i < count; i++)
		*total += parts[i] >> shift;
	return shift;
}

/* The largest remainders get what rounding down has left over; of equal ones the first. */
static void hand_out(unsigned int *permille, uint64_t *remainder, size_t count, unsigned int left)
{
	while (left--) {
		size_t most = 0, i;

		for (i = 1; i < count; i++)
			if (remainder[i] > remainder[most])
				most = i;
		permille[most]++;
		remainder[most] = 0;
	}
}

void units_shares(unsigned int *permille, const uint64_t *parts, size_t count)
{
	uint64_t total, remainder[count ? count : 1];
	unsigned int shift = common_shift(parts, count, &total);
	unsigned int left = 1000;
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t part = (parts[i] >> shift) * 1000;

		permille[i] = total ? part / total : 0;
		remainder[i] = total ? part % total : 0;
		left -= permille[i];
	}
	if (total)
		hand_out(permille, remainder, count, left);
}
