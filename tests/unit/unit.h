/* SPDX-License-Identifier: GPL-2.0-only */
/* cmocka, with the headers that it wants before itself. */
#ifndef TASKRT_UNIT_H
#define TASKRT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#endif /* TASKRT_UNIT_H */
