/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages whose first touch takes as long as wanted (userfaultfd). */
#ifndef SLOW_H
#define SLOW_H

#include <stddef.h>
#include <stdint.h>

struct slow;

#define SLOW_FOR_EVER	UINT64_MAX

/* A thread of this process serves each page, ns after somebody began to sleep for it. */
struct slow *slow_new(size_t pages, uint64_t ns);
/* Where page number i begins. */
volatile char *slow_page(const struct slow *slow, size_t i);
/* From now on nothing waits, whoever waits already included. */
void slow_release(struct slow *slow);
/* Nobody may be waiting any more. */
void slow_free(struct slow *slow);

#endif
