/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_SNAPSHOT_H
#define TASKRT_SNAPSHOT_H

#include "self/handle.h"

/* How this machine does it best, for the thread that opened itself, if that is measured. */
taskrt_read_fn taskrt_snapshot_reader(const struct taskrt_measured *measured);

#endif /* TASKRT_SNAPSHOT_H */
