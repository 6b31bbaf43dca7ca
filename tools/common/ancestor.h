/* SPDX-License-Identifier: GPL-2.0-only */
/* Who descends from whom, of those that live. */
#ifndef TOOLS_COMMON_ANCESTOR_H
#define TOOLS_COMMON_ANCESTOR_H

#include <stdint.h>

/* Is the process ancestor a parent of pid, or of one of its parents?  As /proc knows; else 0. */
int ancestor_is(uint32_t ancestor, uint32_t pid);

#endif
