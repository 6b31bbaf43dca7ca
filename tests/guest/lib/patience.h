/* SPDX-License-Identifier: GPL-2.0-only */
/* How long a program goes on trying what a busy host may spoil. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include "clock.h"

/* In all, from the first time that it asks; less than run-all waits for it. */
#define PATIENCE	(120 * SEC)

static inline int patience_lasts(void)
{
	static uint64_t end;

	if (!end)
		end = clock_now() + PATIENCE;
	return clock_now() < end;
}

#endif
