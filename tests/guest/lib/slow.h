/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages whose first touch takes as long as the test wants (userfaultfd). */
#ifndef SLOW_H
#define SLOW_H

#include <stddef.h>
#include <stdint.h>

struct slow;

#define SLOW_FOR_EVER	UINT64_MAX

/* A thread of this process provides each page, ns after a thread began to sleep for it. */
struct slow *slow_new(size_t pages, uint64_t ns);
/* The address of page number i. */
volatile char *slow_page(const struct slow *slow, size_t i);
/* From now on no thread waits; those that wait already go on. */
void slow_release(struct slow *slow);
/* Frees it; no thread may be waiting any more. */
void slow_free(struct slow *slow);

#endif
