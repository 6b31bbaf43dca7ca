/* SPDX-License-Identifier: GPL-2.0-only */
/* Arms threads for the flight recorder and raises alerts, without the library. */
#ifndef RECORDER_H
#define RECORDER_H

#include "raw.h"

/* How to arm; fields that are 0 are not sent. */
struct recorder_arm {
	uint32_t tid;			/* 0: the asking thread */
	uint32_t depth, states;
	uint64_t threshold_ns, over_ns;
};

/* A negative errno; answer may be NULL. */
int recorder_arm(struct raw *raw, const struct recorder_arm *arm, struct raw_answer *answer);
/* The same, or the end of the test; waits while there are as many recorders as there may be. */
void recorder_must_arm(struct raw *raw, const struct recorder_arm *arm);
int recorder_disarm(struct raw *raw, uint32_t tid);
/* The calling thread reports that it was late: 0 or a negative errno. */
int recorder_tell(const char *tag);
/* The same, repeated while the rate limit refuses it; adds the number of refusals. */
int recorder_insist(const char *tag, uint64_t *refused);
/* An alert of the calling thread that is not refused, or the end of the test. */
void recorder_must_tell(const char *tag);

#endif
