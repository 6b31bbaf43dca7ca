/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a program repeats what a busy host may spoil. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include "clock.h"

/* The sum of all tries, from the first call on; less than the time that run-all allows. */
#define PATIENCE	(120 * SEC)

static inline int patience_lasts(void)
{
	static uint64_t end;

	if (!end)
		end = clock_now() + PATIENCE;
	return clock_now() < end;
}

#endif
