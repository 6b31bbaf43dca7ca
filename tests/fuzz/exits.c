// SPDX-License-Identifier: GPL-2.0-only
/* libFuzzer: an EXIT message behind its two headers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "taskrt.h"
#include "netlink/exit_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void read_all(const struct nlmsghdr *header)
{
	struct taskrt_exit *exit = malloc(sizeof(*exit));
	struct taskrt_exit_message message;
	size_t records = 0;
	int found;

	if (!taskrt_exit_message_begin(&message, header)) {
		while ((found = taskrt_exit_message_next(&message, exit)) == 1) {
			if (exit->type > TASKRT_EXIT_PROCESS || !exit->reading.stats.version ||
			    exit->reading.stats.size > sizeof(exit->reading.stats_room) ||
			    exit->reading.groups > 7)
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
	struct nlmsghdr *header = calloc(1, headers + length);

	header->nlmsg_len = headers + length;
	memcpy((char *)header + headers, data, length);
	read_all(header);
	free(header);
	return 0;
}
