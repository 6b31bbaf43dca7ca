/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a program repeats what a busy host may spoil: the sum of all tries. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include "clock.h"

static inline int patience_lasts(void)
{
	static uint64_t end;

	if (!end)
		end = clock_now() + CLOCK_LIMIT / 4;
	return clock_now() < end;
}

#endif
