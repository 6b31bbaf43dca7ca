/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard output, whose write errors must not go unnoticed. */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <stdio.h>

/*
 * If descriptor 0, 1 or 2 is closed, open something there that cannot be used:
 * otherwise the next socket would get this number, and messages would be written
 * into it.
 */
void output_guard(void);

/* Make a reader that goes away an error, as on a full disk, instead of a signal. */
void output_keep_pipe(void);

/*
 * Close out, which is this file, or NULL: standard output.  Return: status, or STATUS_FAILED
 * after a message where something could not be written.
 */
int output_close(FILE *out, const char *file, int status);

#endif
