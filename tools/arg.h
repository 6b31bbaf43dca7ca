/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands on the command line. */
#ifndef TOOLS_ARG_H
#define TOOLS_ARG_H

#include <stdint.h>
#include <sys/types.h>

/*
 * The id of a thread or process.  Return: 0, or STATUS_USAGE after a message
 * that says what is wrong with it.
 */
int arg_pid(const char *text, pid_t *pid);

/* A number above 0; what: "a number of records". Return: 0, or STATUS_USAGE after a message. */
int arg_number(const char *text, const char *what, uint64_t *number);

/* A time in seconds above 0, "1.5", in nanoseconds. Return: as arg_number(). */
int arg_seconds(const char *text, uint64_t *ns);

/*
 * Say what getopt_long() did not like; its option string begins with ":" (or
 * "+:").  Return: STATUS_USAGE.
 */
int arg_bad_option(int answer, char **argv);

#endif
