/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, and ways to spend it in user space. */
#ifndef CLOCK_H
#define CLOCK_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define US	1000ULL
#define MS	1000000ULL
#define SEC	1000000000ULL

static inline uint64_t clock_of(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec;
}

static inline uint64_t clock_now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

static inline void clock_sleep(uint64_t ns)
{
	struct timespec ts = { ns / SEC, ns % SEC };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
		;
}

static inline void clock_spin(uint64_t ns)
{
	uint64_t end = clock_now() + ns;

	while (clock_now() < end)
		;
}

/* Until the caller has used this much CPU time, however long that takes. */
static inline void clock_burn(uint64_t ns)
{
	uint64_t end = clock_of(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

#endif
