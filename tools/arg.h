/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands on the command line. */
#ifndef TOOLS_ARG_H
#define TOOLS_ARG_H

#include <sys/types.h>

/*
 * The id of a thread or process.  Return: 0, or STATUS_USAGE after a message
 * that says what is wrong with it.
 */
int arg_pid(const char *text, pid_t *pid);

/*
 * Say what getopt_long() did not like; its option string begins with ":" (or
 * "+:").  Return: STATUS_USAGE.
 */
int arg_bad_option(int answer, char **argv);

#endif
