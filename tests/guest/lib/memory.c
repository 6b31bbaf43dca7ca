// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "tap.h"

unsigned long memory_free_kib(void)
{
	unsigned long kib = 0;
	char line[128];
	FILE *file = fopen("/proc/meminfo", "r");

	if (!file)
		tap_bail("/proc/meminfo: %s", strerror(errno));
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1)
			break;
	fclose(file);
	return kib;
}

unsigned long memory_free_again_kib(unsigned long wanted)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE;
	unsigned long kib;

	while ((kib = memory_free_kib()) < wanted && clock_now() < end)
		clock_sleep(50 * MS);
	return kib;
}
