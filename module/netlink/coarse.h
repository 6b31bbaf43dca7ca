/* SPDX-License-Identifier: GPL-2.0-only */
/* The low-resolution timer of RFC-0084: times are rounded down for who may not see exact ones. */
#ifndef TASKRT_COARSE_H
#define TASKRT_COARSE_H

#include "netlink/access.h"

/* To so many nanoseconds the asker's times are rounded down; 0: they are exact. */
u64 coarse_for(const struct access_asker *who);

/* May the current task map its own times, which are exact? */
bool coarse_permits_mapping(void);

/* The parameter itself. */
u64 coarse_parameter(void);

#endif /* TASKRT_COARSE_H */
