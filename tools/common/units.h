/* SPDX-License-Identifier: GPL-2.0-only */
/* Times, sizes, counts and shares as people read them. */
#ifndef TOOLS_COMMON_UNITS_H
#define TOOLS_COMMON_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define UNITS_MAX	24	/* bytes that the longest text takes, with its NUL */

/* Three significant digits: "999 ns", "1.23 us", "45.6 ms", "789 s", "2.78 h", "41.7 d". */
const char *units_time(char text[UNITS_MAX], uint64_t ns);

/* An instant of CLOCK_MONOTONIC, in seconds: "12345.678901". */
const char *units_instant(char text[UNITS_MAX], uint64_t ns);

/*
 * An instant of CLOCK_REALTIME as the user's clock shows it, "14:03:07.123"; without the
 * fraction, and with the day, if it was more than a day ago: "11-27 14:03:07".
 */
const char *units_wall(char text[UNITS_MAX], uint64_t wall_ns, uint64_t age_ns);

/* "512 B", "1.23 KiB", "45.6 MiB". */
const char *units_bytes(char text[UNITS_MAX], uint64_t bytes);

/* The ending of a counted word: "" for 1, otherwise plural: "s" or "es". */
const char *units_plural(uint64_t count, const char *plural);

/* Tenths of a percent: "66.7". */
const char *units_share(char text[UNITS_MAX], unsigned int permille);

/*
 * The share of each part in the whole, in tenths of a percent, rounded so that the shares sum to
 * exactly 1000.  If all parts are 0, so are the shares.
 */
void units_shares(unsigned int *permille, const uint64_t *parts, size_t count);

#endif
