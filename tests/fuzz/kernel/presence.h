/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module, which is removed and inserted again meanwhile: the family's number, and where
 * its code is.  All processes see the same.
 */
#ifndef PRESENCE_H
#define PRESENCE_H

#include <stdint.h>

void presence_begin(void);
/* Removes the module if nobody uses it, and inserts it again. */
void presence_renew(void);
/* Inserts it if it is not there. */
void presence_end(void);
/* The number at this time; while the module is not there, its last one. */
uint16_t presence_family(void);
/* How often it was inserted. */
uint32_t presence_times(void);
/* Changes when the module goes and when it is back; the address of its code, 0 while it is gone. */
uint32_t presence_code(unsigned long *address);

#endif
