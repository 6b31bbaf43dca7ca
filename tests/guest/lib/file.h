/* SPDX-License-Identifier: GPL-2.0-only */
/* A file on the disk, which is not in memory. */
#ifndef TESTS_FILE_H
#define TESTS_FILE_H

#include <stddef.h>

/* Makes it of so many bytes, a multiple of 64 KiB, or ends the test. */
void file_make(const char *path, size_t bytes);

#endif
