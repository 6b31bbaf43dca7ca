/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TASKRT_CRC32_H
#define TASKRT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * CRC-32 of IEEE 802.3, as zlib, gzip and PNG use it.  The one of "123456789" is
 * 0xcbf43926.  @before is the CRC of the bytes that precede these, or 0 if there are
 * none.
 */
uint32_t taskrt_crc32(uint32_t before, const void *data, size_t length);

#endif /* TASKRT_CRC32_H */
