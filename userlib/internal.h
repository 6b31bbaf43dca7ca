/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The public header as the library's own files see it: everything is compiled
 * with hidden visibility, and only what taskrt.h declares is exported.  The
 * symbol map lists the same names; the build compares the two.
 */
#ifndef TASKRT_INTERNAL_H
#define TASKRT_INTERNAL_H

#pragma GCC visibility push(default)
#include "include/taskrt.h"
#pragma GCC visibility pop

#endif /* TASKRT_INTERNAL_H */
