// SPDX-License-Identifier: GPL-2.0-only
/* libFuzzer: an EXIT message behind its two headers, and before it the caller's size. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "taskrt.h"
#include "exits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void read_all(const struct nlmsghdr *header, size_t size)
{
	struct taskrt_exit *exit = malloc(size);
	struct taskrt_exits exits;
	size_t records = 0;
	int found;

	if (!taskrt_exits_begin(&exits, header)) {
		while ((found = taskrt_exits_next(&exits, exit, size)) == 1) {
			if (exit->type > TASKRT_EXIT_PROCESS || !exit->stats.version ||
			    exit->stats.size > size)
				abort();
			if (++records > header->nlmsg_len)
				abort();
		}
		if (found > 0)
			abort();
	}
	free(exit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;
	struct nlmsghdr *header;
	uint16_t size;

	if (length < sizeof(size))
		return 0;
	memcpy(&size, data, sizeof(size));
	length -= sizeof(size);
	header = calloc(1, headers + length);
	header->nlmsg_len = headers + length;
	memcpy((char *)header + headers, data + sizeof(size), length);
	read_all(header, TASKRT_EXIT_SIZE_MIN + size % 1024);
	free(header);
	return 0;
}
