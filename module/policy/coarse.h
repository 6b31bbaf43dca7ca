/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The low-resolution timer of RFC-0084: times are rounded down for readers that may not
 * see exact ones.
 */
#ifndef TASKRT_COARSE_H
#define TASKRT_COARSE_H

#include "policy/access.h"

/* The parameter; written by device.c, under the parameter lock. */
extern unsigned long coarse_ns;

/* The nanoseconds to which the requester's times are rounded down; 0: they are exact. */
u64 coarse_for(const struct access_requester *who);

/* True if the current task may map its own counters, whose times are exact. */
bool coarse_permits_mapping(void);

/* The value of the parameter. */
u64 coarse_parameter(void);

#endif /* TASKRT_COARSE_H */
