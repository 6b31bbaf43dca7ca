// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"
#include "delivery.h"
#include "tap.h"

/*
 * The module delays records for a moment, in a queue for each CPU: when the last one of each is
 * delivered, the sequence number counts all those before them.
 */
static void flush_queue(void)
{
	struct listener second;

	listener_open(&second, NULL, NULL);
	listener_listen(&second,
			&(struct listener_filter){ .entities = TASKRT_ENTITIES_PROCESSES });
	listener_drain(&second);
	listener_close(&second);
}

void delivery_await(struct listener *listener)
{
	uint64_t end = clock_now() + CLOCK_PATIENCE, sequence;

	flush_queue();
	sequence = listener_listed(listener, TASKRT_A_SEQ);
	while (listener->received + listener->lost < sequence) {
		listener_wait(listener, 100);
		if (clock_now() > end)
			tap_bail("sequence %llu, received %llu, lost %llu",
				 (unsigned long long)sequence,
				 (unsigned long long)listener->received,
				 (unsigned long long)listener->lost);
	}
	/* A record beyond that number would have arrived already. */
	listener_wait(listener, 0);
}
