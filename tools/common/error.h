/* SPDX-License-Identifier: GPL-2.0-only */
/* What went wrong, in one line on standard error, and how to fix it. */
#ifndef TOOLS_COMMON_ERROR_H
#define TOOLS_COMMON_ERROR_H

#include <taskrt.h>

/* The name that begins every message from here on: "taskrt get". */
void error_set_command(const char *name);

/* The exit status of error_no_memory() from here on, if it is not STATUS_FAILED. */
void error_set_status(int status);

/* A wrong command line.  Return: STATUS_USAGE, to return from the command. */
int error_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Anything else.  Return: STATUS_FAILED. */
int error_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Say that there is no memory, and end the program. */
_Noreturn void error_no_memory(void);

/* Goes on all the same. */
void error_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum error_subject { ERROR_SELF, ERROR_THREAD, ERROR_PROCESS, ERROR_CHILDREN, ERROR_MODULE };

#define ERROR_MAX	512	/* bytes that the longest message takes, with its NUL */

/* Why taskrt_open() failed. */
const char *error_open_text(char text[ERROR_MAX], int error);

/* Why a query about subject id failed, as the library returned it. */
const char *error_query_text(char text[ERROR_MAX], struct taskrt *handle, int error,
			     enum error_subject subject, pid_t id);

/* Why a listener could not be registered; cpus, NULL: all of them. */
const char *error_listen_text(char text[ERROR_MAX], const struct taskrt_exits *exits,
			      int error, const char *cpus, const struct taskrt_query *want);

#endif
