/* SPDX-License-Identifier: GPL-2.0-only */
/* What went wrong, in one line on standard error, and how to fix it. */
#ifndef TOOLS_COMMON_ERROR_H
#define TOOLS_COMMON_ERROR_H

#include <taskrt.h>

/* Set the name at the start of every later message: "taskrt get". */
void error_set_command(const char *name);

/* Set the exit status of error_no_memory(), if it is not STATUS_FAILED. */
void error_set_status(int status);

/* Report a wrong command line.  Return: STATUS_USAGE, to return from the command. */
int error_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Report any other error.  Return: STATUS_FAILED. */
int error_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Report that a file could not be written; NULL: standard output.  error: a negative errno,
 * or 0: not known.  Return: STATUS_FAILED.
 */
int error_write(const char *file, int error);

/* Report that there is no memory, and end the program. */
_Noreturn void error_no_memory(void);

/* Report something that does not end the command. */
#define error_warn(...)	((void)error_fail(__VA_ARGS__))

enum error_subject {
	ERROR_SELF,
	ERROR_THREAD,
	ERROR_PROCESS,
	ERROR_PROCESS_NOT_THREAD,	/* of a command with --tid for thread ids */
	ERROR_CHILDREN,
	ERROR_MODULE,
};

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
