// SPDX-License-Identifier: GPL-2.0-only
/* libFuzzer: the first byte pair is the size of the caller's structure. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "taskrt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct taskrt_stats *stats, *again;
	uint16_t size;

	if (length < sizeof(size))
		return 0;
	memcpy(&size, data, sizeof(size));
	size %= 1024;
	data += sizeof(size);
	length -= sizeof(size);

	stats = malloc(size + 1);
	again = malloc(size + 1);
	if (!taskrt_decode(data, length, stats, size)) {
		if (!stats->version || stats->size < TASKRT_STATS_SIZE_V1 ||
		    stats->size > size || stats->size > length)
			abort();
		/* what it made is itself a payload, and means the same */
		if (taskrt_decode(stats, stats->size, again, size) ||
		    memcmp(stats, again, size))
			abort();
	}
	free(again);
	free(stats);
	return 0;
}
