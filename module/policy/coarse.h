/* SPDX-License-Identifier: GPL-2.0-only */
/* The low-resolution timer of RFC-0084: times rounded down for readers without access_exact(). */
#ifndef TASKRT_COARSE_H
#define TASKRT_COARSE_H

#include "policy/access.h"

/* Written by device.c, under the parameter lock. */
extern unsigned long coarse_ns;

/* The requester's times are rounded down to multiples of this; 0: they are exact. */
u64 coarse_for(const struct access_requester *who);

/* True if the current task may map its own counters, whose times are exact. */
bool coarse_permits_mapping(void);

u64 coarse_parameter(void);

#endif /* TASKRT_COARSE_H */
