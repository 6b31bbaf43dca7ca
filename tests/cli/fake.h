/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fake libtaskrt share. */
#ifndef TESTS_CLI_FAKE_H
#define TESTS_CLI_FAKE_H

#include <taskrt.h>

#define FAKE_VALID	((1ULL << 17) - 1)
#define FAKE_LOCKS	(TASKRT_VALID_LOCK_TIME | TASKRT_VALID_LOCKS | TASKRT_VALID_LONGEST_LOCK)

/* Is this what goes wrong? */
int fake(const char *what);

/* Return error, which taskrt_error() explains from now on. */
int fake_answer(struct taskrt *handle, int error);

/* Make a snapshot what it is where something goes wrong. */
void fake_spoil(struct taskrt_stats *stats);

/* The snapshot of a task that has ended. */
void fake_ended(struct taskrt_stats *stats, uint32_t tid, uint32_t tgid, uint32_t exit_code);

#endif
