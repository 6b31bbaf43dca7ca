/* SPDX-License-Identifier: GPL-2.0-only */
/* The library's self-read, with errors as the end of the test. */
#ifndef SELF_H
#define SELF_H

#include <stdint.h>
#include <taskrt.h>

/* The calling thread's own, mapped. */
struct taskrt_self *self_open(void);
/* Ask again while the counters are changing; TASKRT_FINAL or 0. */
unsigned int self_read(struct taskrt_self *self, struct taskrt_snapshot *now);
/* With every group. */
unsigned int self_get(struct taskrt_self *self, struct taskrt_reading *reading);

/* The states sum to the time since it is tracked; says so where they do not. */
int self_adds_up(const struct taskrt_snapshot *now, uint64_t tracked_since_ns);
/* What is told of kinds is what is told of all, in one snapshot. */
int self_agrees(const struct taskrt_snapshot *now);
/* What is measured of it; or the end of the test. */
void self_measured(const struct taskrt_self *self, struct taskrt_measured *measured);

/*
 * The clock can be read without a system call; it is told to be one that can,
 * if there is one.  NULL, or why not.
 */
const char *self_no_clock(void);

#endif
