/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The experimental header as the library's own files include it.  internal.h explains why. */
#ifndef TASKRT_EXPERIMENTAL_INTERNAL_H
#define TASKRT_EXPERIMENTAL_INTERNAL_H

#include "internal.h"

#define TASKRT_EXPERIMENTAL
#pragma GCC visibility push(default)
#include "include/taskrt_experimental.h"
#pragma GCC visibility pop

#endif /* TASKRT_EXPERIMENTAL_INTERNAL_H */
