/* SPDX-License-Identifier: GPL-2.0-only */
/* CLOCK_MONOTONIC and CLOCK_REALTIME in nanoseconds. */
#ifndef TOOLS_COMMON_CLOCK_H
#define TOOLS_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_MS	1000000ULL
#define CLOCK_SECOND	(1000 * CLOCK_MS)

static inline uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/*
 * Milliseconds from @now_ns to @end_ns, for poll(2), at most 1,000,000.  They are rounded
 * up: rounded down, poll() would return at once during the last millisecond, and the
 * caller would spin.
 */
static inline int clock_ms_until(uint64_t end_ns, uint64_t now_ns)
{
	uint64_t left = end_ns > now_ns ? end_ns - now_ns : 0;

	return left > 1000 * CLOCK_SECOND ? 1000000 : (int)((left + CLOCK_MS - 1) / CLOCK_MS);
}

#endif
