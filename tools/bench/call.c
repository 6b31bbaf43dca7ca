// SPDX-License-Identifier: GPL-2.0-only
/* Calls of the library, and calls to compare them with. */
#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/call.h"

#define BATCH	64	/* calls between two looks at the clock */

/* Inlined, so that what is measured is the call itself. */
static inline __attribute__((always_inline)) int
repeat(int (*call)(void *arg), void *arg, uint64_t ns, struct sample *sample)
{
	uint64_t began = clock_now_ns(), count = 0;
	int i, error = 0;

	do {
#pragma GCC unroll 16
		for (i = 0; i < BATCH && !error; i++)
			error = call(arg);
		count += BATCH;
	} while (!error && clock_now_ns() - began < ns);
	sample->ns = sample_each(began, count);
	return error;
}

static inline int read_self(void *self)
{
	struct taskrt_snapshot now;

	return taskrt_self_read(self, &now);
}

int call_self(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	struct taskrt_self *self;
	int error = taskrt_self_open(&self, TASKRT_SELF_MAPPED);

	(void)site;
	if (error)
		return error;
	error = repeat(read_self, self, ns, sample);
	taskrt_self_close(self);
	return error;
}

static inline int get_own(void *handle)
{
	struct taskrt_reading reading;

	return taskrt_get(handle, TASKRT_ENTITY_THREAD, 0, TASKRT_GROUP_TIMES, &reading,
			  sizeof(reading));
}

int call_get(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	return repeat(get_own, site->handle, ns, sample);
}

static inline int read_clock(void *unused)
{
	struct timespec now;

	(void)unused;
	return clock_gettime(CLOCK_MONOTONIC, &now) ? -errno : 0;
}

int call_clock(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	(void)site;
	return repeat(read_clock, NULL, ns, sample);
}

static inline int read_usage(void *unused)
{
	struct rusage usage;

	(void)unused;
	return getrusage(RUSAGE_THREAD, &usage) ? -errno : 0;
}

int call_getrusage(const struct sample_site *site, uint64_t ns, struct sample *sample)
{
	(void)site;
	return repeat(read_usage, NULL, ns, sample);
}
