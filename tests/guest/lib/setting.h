/* SPDX-License-Identifier: GPL-2.0-only */
/* Settings of the kernel: files of one line. */
#ifndef SETTING_H
#define SETTING_H

#include <stddef.h>

/* Return: 1; or 0: there is no such file, or it refuses the text. */
int setting_write(const char *path, const char *text);
/* The same, or the end of the test. */
void setting_must_write(const char *path, const char *text);
/* Reads the beginning of the file, up to its end; 0: there is no such file. */
int setting_read(const char *path, char *text, size_t size);

#endif
