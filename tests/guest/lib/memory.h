/* SPDX-License-Identifier: GPL-2.0-only */
/* Does memory come back? */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

/*
 * How much memory other tasks may use meanwhile, or CPUs keep in their lists: a leak is
 * several times as large.
 */
#define MEMORY_KEPT_KIB	(16 * 1024UL)

unsigned long memory_free_kib(void);

/* Waits until this much memory is free, ten seconds at most: the kernel may free it late. */
unsigned long memory_free_again_kib(unsigned long wanted);

#endif
