/* SPDX-License-Identifier: GPL-2.0-only */
/* A single number of the module's INFO, without the library. */
#ifndef MODINFO_H
#define MODINFO_H

#include <stdint.h>

/* A u32 or u64 of the INFO nest, TASKRT_INFO_A_*; or the end of the test. */
uint64_t modinfo(uint16_t type);
/*
 * Waits until the number is that; returns the last value if that takes longer than
 * CLOCK_PATIENCE.
 */
uint64_t modinfo_await(uint16_t type, uint64_t value);
/* The same until it is no more than that. */
uint64_t modinfo_await_at_most(uint16_t type, uint64_t most);

#endif
