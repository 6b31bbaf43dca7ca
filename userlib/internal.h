/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The public header as the library's own files include it.  All files are compiled with
 * hidden visibility, so only the functions that taskrt.h declares are exported.  The
 * symbol map lists the same functions, and the build compares the two.
 */
#ifndef TASKRT_INTERNAL_H
#define TASKRT_INTERNAL_H

#pragma GCC visibility push(default)
#include "include/taskrt.h"
#pragma GCC visibility pop

#endif /* TASKRT_INTERNAL_H */
