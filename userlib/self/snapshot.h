/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_SNAPSHOT_H
#define TASKRT_SNAPSHOT_H

#include "self/handle.h"

/* Return: the function with which a thread that opened itself reads its page on this machine. */
taskrt_read_fn taskrt_snapshot_reader(const struct taskrt_measured *measured);

#endif /* TASKRT_SNAPSHOT_H */
