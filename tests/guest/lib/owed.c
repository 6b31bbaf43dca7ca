// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"
#include "owed.h"
#include "tap.h"

#define LONGEST	(60 * SEC)

/* The module keeps exits back for a moment, all in one line: behind this one all are owed. */
static void hand_all_on(void)
{
	struct ear witness;

	ear_open(&witness, NULL, NULL);
	ear_listen(&witness, &(struct ear_filter){ .entities = TASKRT_ENTITIES_PROCESSES });
	ear_drain(&witness);
	ear_close(&witness);
}

void owed_read(struct ear *ear)
{
	uint64_t end = clock_now() + LONGEST, owed;

	hand_all_on();
	owed = ear_listed(ear, TASKRT_A_SEQ);
	while (ear->received + ear->lost < owed) {
		ear_wait(ear, 100);
		if (clock_now() > end)
			tap_bail("owed %llu, received %llu, lost %llu", (unsigned long long)owed,
				 (unsigned long long)ear->received,
				 (unsigned long long)ear->lost);
	}
	/* More than what is owed would be there already. */
	ear_wait(ear, 0);
}
