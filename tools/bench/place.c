// SPDX-License-Identifier: GPL-2.0-only
/* Where the events are measured. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "bench/place.h"

int place_stay(void)
{
	/* The kernel may have more processors than cpu_set_t. */
	cpu_set_t cpus[16];
	int cpu = sched_getcpu();

	if (cpu < 0)
		return -errno;
	memset(cpus, 0, sizeof(cpus));
	CPU_SET_S((size_t)cpu, sizeof(cpus), cpus);
	return sched_setaffinity(0, sizeof(cpus), cpus) ? -errno : cpu;
}

/* As it was before. */
static int policy;
static struct sched_param parameters;

/* The lowest priority: kernel threads that have to run may interrupt. */
const char *place_begin_fifo(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	policy = sched_getscheduler(0);
	sched_getparam(0, &parameters);
	return sched_setscheduler(0, SCHED_FIFO, &lowest) ?
	       "its threads may not be SCHED_FIFO" : NULL;
}

void place_end_fifo(void)
{
	sched_setscheduler(0, policy, &parameters);
}
