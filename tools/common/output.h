/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard output, of which nothing may be lost silently. */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <stdio.h>

/*
 * Where descriptors 0, 1 or 2 are closed, put something there that cannot be
 * used: otherwise the next socket would get the number, and a message would be
 * written into it.
 */
void output_guard(void);

/* A reader that goes away shall be an error like a full disk, not a signal. */
void output_keep_pipe(void);

/*
 * Close out.  Return: status, or STATUS_FAILED after a message where something could not
 * be written.  name: as the message calls it.
 */
int output_close(FILE *out, const char *name, int status);

#endif
