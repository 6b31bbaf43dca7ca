/* SPDX-License-Identifier: GPL-2.0-only */
/* Does memory come back? */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

/* What others may use meanwhile, or a processor keep in its lists: a leak is several times that. */
#define MEMORY_KEPT_KIB	(16 * 1024UL)

unsigned long memory_free_kib(void);

/* As soon as so much is free, and at the latest after ten seconds: the kernel takes its time. */
unsigned long memory_free_again_kib(unsigned long wanted);

#endif
