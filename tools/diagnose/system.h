/* SPDX-License-Identifier: GPL-2.0-only */
/* The system that is looked at: this one, or one that is installed below a folder. */
#ifndef TOOLS_DIAGNOSE_SYSTEM_H
#define TOOLS_DIAGNOSE_SYSTEM_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct system {
	int fd;			/* its root folder */
	char release[65];	/* of the kernel that is meant, as uname -r says it */
	int running;		/* that one runs there: its /proc and /sys tell of it */
};

#define SYSTEM_PATH	512	/* bytes that the longest path takes, with its NUL */

/*
 * root: NULL for this one.  release: NULL for the running kernel.
 * Return: 0 or a negative errno.
 */
int system_open(struct system *system, const char *root, const char *release);
void system_close(struct system *system);

/* Return: 0; -ENAMETOOLONG: path is empty then, because a beginning leads elsewhere. */
int system_path(char path[SYSTEM_PATH], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The files of a system.  Paths begin without a slash; a symbolic link leads to
 * where it would lead on that system.
 */
int system_has(const struct system *system, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A descriptor, or -1 and errno. */
int system_descriptor(const struct system *system, int flags, const char *path);

/* A stream for reading, or NULL. */
FILE *system_stream(const struct system *system, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The beginning of a file, as a text without its last newline.  Return: bytes; -1: it cannot be read. */
ssize_t system_read(const struct system *system, char *text, size_t size,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What is in a folder, for each in the order of their versions.  fn returns 0 to go on. */
int system_each(const struct system *system, const char *path,
		int (*fn)(const struct system *system, const char *path, const char *name, void *arg),
		void *arg);

#endif
