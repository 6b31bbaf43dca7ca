/* SPDX-License-Identifier: GPL-2.0-only */
/* The library's self-read; an error ends the test. */
#ifndef SELF_H
#define SELF_H

#include <stdint.h>
#include <taskrt.h>

/* The calling thread's own counters, mapped. */
struct taskrt_self *self_open(void);
/* Reads again while the counters are changing; TASKRT_FINAL or 0. */
unsigned int self_read(struct taskrt_self *self, struct taskrt_snapshot *now);
/* With every group. */
unsigned int self_get(struct taskrt_self *self, struct taskrt_reading *reading);

/* Do the states sum to the time for which the thread was tracked?  Prints them if not. */
int self_adds_up(const struct taskrt_snapshot *now, uint64_t tracked_since_ns);
/* Does the sum over the kinds equal the total, in one snapshot? */
int self_agrees(const struct taskrt_snapshot *now);
/* The values that a mapped page does not have. */
#define SELF_ASKED_ONLY	(1ULL << TASKRT_VALUE_USER_NS | 1ULL << TASKRT_VALUE_SYSTEM_NS)

/* What is measured of the thread; or the end of the test. */
void self_measured(const struct taskrt_self *self, struct taskrt_measured *measured);

/*
 * Makes sure that the clock can be read without a system call: tells the kernel to use
 * such a clock if there is one.  NULL, or why there is none.
 */
const char *self_no_clock(void);

#endif
