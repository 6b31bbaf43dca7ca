/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel log: why the kernel refused the module. */
#ifndef TOOLS_DIAGNOSE_LOG_H
#define TOOLS_DIAGNOSE_LOG_H

#include <time.h>

#include "diagnose/system.h"

/*
 * The last line in which the kernel refuses the module, or the module itself says why it cannot
 * work; not older than since.  Return: 1; 0: there is none, or the module has been loaded since;
 * -1: the log may not be read.
 */
int log_last_failure(const struct system *system, time_t since, char *text, size_t size);

/* Does the message say that a signature is missing or not accepted? */
int log_wants_signature(const char *text);

#endif
