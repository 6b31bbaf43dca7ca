/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fake libtaskrt share. */
#ifndef TESTS_CLI_FAKE_H
#define TESTS_CLI_FAKE_H

#include <taskrt.h>

/* Is this what goes wrong? */
int fake(const char *what);

/* The snapshot of a task that has ended. */
void fake_ended(struct taskrt_stats *stats, uint32_t tid, uint32_t tgid, uint32_t exit_code);

#endif
