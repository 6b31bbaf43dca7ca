/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All memory that a replay touches, at one address in each run: how often a cache misses
 * depends on the addresses.  Large pages, like the kernel's direct map.
 */
#ifndef TASKRT_NATIVE_ARENA_H
#define TASKRT_NATIVE_ARENA_H

#include <stddef.h>
#include <stdint.h>

void arena_init(void);

/* Zeroed memory that begins with a cache line, and with a page if it is that large. */
void *arena_take(size_t size);

/* Calls @function on a stack in the arena: where the process has its own differs. */
void arena_call(void (*function)(void));

/* The next of a sequence of numbers that look random, and are the same in each run. */
uint32_t arena_random(uint32_t below);

/* What arena_call() uses, for the map. */
extern char *arena_stack;
#define ARENA_STACK	65536UL

#endif /* TASKRT_NATIVE_ARENA_H */
