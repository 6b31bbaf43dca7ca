/* SPDX-License-Identifier: GPL-2.0-only */
/* The library's self-read, with errors as the end of the test. */
#ifndef SELF_H
#define SELF_H

#include <stdint.h>
#include <taskrt.h>

/* The calling thread's own, mapped. */
struct taskrt_self *self_open(void);
/* Asks again while the counters are changing; TASKRT_SELF_STOPPED or 0. */
int self_read(const struct taskrt_self *self, struct taskrt_snapshot *now);
int self_stats(const struct taskrt_self *self, struct taskrt_stats *stats);

/* The states sum to the time since it is tracked; says so where they do not. */
int self_adds_up(const struct taskrt_snapshot *now, uint64_t tracked_since_ns);
/* What is told of kinds is what is told of all, in one snapshot. */
int self_agrees(const struct taskrt_snapshot *now);

/*
 * The clock can be read without a system call; it is told to be one that can,
 * if there is one.  NULL, or why not.
 */
const char *self_no_clock(void);

#endif
