/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, and ways to spend it in user space. */
#ifndef CLOCK_H
#define CLOCK_H

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "tap.h"

#define US	1000ULL
#define MS	1000000ULL
#define SEC	1000000000ULL

/* The time that run-all allows a program: more than usual on a kernel that checks itself. */
#define CLOCK_LIMIT		(tap_setting("TASKRT_TEST_TIMEOUT", 480) * SEC)

/*
 * What has not happened after this time never will, however busy the host is: only a
 * failing test waits this long.
 */
#define CLOCK_PATIENCE		(CLOCK_LIMIT / 8)
#define CLOCK_PATIENCE_MS	((int)(CLOCK_PATIENCE / MS))

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

/* How often the caller has left the CPU because it had to wait. */
static inline uint64_t clock_waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/*
 * Sleeps until the caller has left the CPU @times times.  On a busy host a timer
 * may expire before its sleeper has switched out, and then nobody has slept.
 */
static inline void clock_sleep_times(uint64_t ns, uint64_t times)
{
	uint64_t end = clock_waits() + times;

	while (clock_waits() < end)
		clock_sleep(ns);
}

static inline void clock_spin(uint64_t ns)
{
	uint64_t end = clock_now() + ns;

	while (clock_now() < end)
		;
}

/*
 * Computes until @condition, but not for ever: what a thread in real time waits for may need
 * its CPU, and so may whoever ends a test that hangs.
 */
#define clock_spin_until(condition)				\
do {								\
	const uint64_t patience = clock_now() + CLOCK_PATIENCE;	\
								\
	while (!(condition) && clock_now() < patience)		\
		;						\
} while (0)

/* Waits until @condition, or ends the test with that message: whom it waits for may have died. */
#define clock_await(condition, ...)				\
do {								\
	const uint64_t patience = clock_now() + CLOCK_PATIENCE;	\
								\
	while (!(condition)) {					\
		if (clock_now() > patience)			\
			tap_bail(__VA_ARGS__);			\
		clock_sleep(MS);				\
	}							\
} while (0)

/* Computes until the caller has used this much CPU time, however long that takes. */
static inline void clock_burn(uint64_t ns)
{
	uint64_t end = clock_of(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

#endif
