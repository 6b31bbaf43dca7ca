/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_DECODE_H
#define TASKRT_DECODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The newest version of struct taskrt_stats that fits into size bytes and that
 * this library knows; 0 if not even the first fits.
 */
uint32_t taskrt_version_fitting(size_t size);

#endif /* TASKRT_DECODE_H */
