/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is measured only if it is switched on, or if there is any: interrupts, cycles, stolen
 * time, stalls for memory.  That it is not measured is no problem, but must not be taken for 0.
 */
#ifndef TOOLS_DIAGNOSE_OPTIONAL_H
#define TOOLS_DIAGNOSE_OPTIONAL_H

#include "diagnose/finding.h"
#include "diagnose/inventory.h"
#include "diagnose/system.h"

#define OPTIONAL_MAX	256

/* "measured: cycles; not measured: stolen time"; or "", if the module knows nothing of these. */
const char *optional_text(char text[OPTIONAL_MAX], const struct inventory *inventory);

/* Add a note for each that is not measured: why, and how to switch it on. */
void optional_check(struct findings *findings, const struct inventory *inventory,
		    const struct system *system);

#endif
