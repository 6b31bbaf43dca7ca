/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of the system, and the kernel in question. */
#ifndef TOOLS_DIAGNOSE_SYSTEM_H
#define TOOLS_DIAGNOSE_SYSTEM_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct system {
	int fd;			/* the root folder; the tests have another */
	char release[65];	/* of the kernel in question, as uname -r prints it */
	int running;		/* it runs, so /proc and /sys are about it */
};

#define SYSTEM_PATH	512	/* bytes that the longest path takes, with its NUL */

/* release: NULL for the running kernel.  Return: 0 or a negative errno. */
int system_open(struct system *system, const char *release);
void system_close(struct system *system);

/* Return: 0; -ENAMETOOLONG: path is empty then, because a truncated one leads elsewhere. */
int system_path(char path[SYSTEM_PATH], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Does this file exist?  Paths are relative to the root folder. */
int system_has(const struct system *system, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Open a file.  Return: a descriptor, or -1 and errno. */
int system_descriptor(const struct system *system, int flags, const char *path);

/* Open a stream for reading.  Return: NULL: it cannot be opened. */
FILE *system_stream(const struct system *system, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Read the start of a file without the last newline.  Return: bytes; -1: it cannot be read. */
ssize_t system_read(const struct system *system, char *text, size_t size,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Read the text of a symbolic link.  Return: bytes; -1: there is none. */
ssize_t system_link(const struct system *system, char *text, size_t size, const char *path);

/* Call fn for each entry of a folder, sorted by version, until it returns nonzero. */
int system_each(const struct system *system, const char *path,
		int (*fn)(const struct system *system, const char *path, const char *name, void *arg),
		void *arg);

#endif
