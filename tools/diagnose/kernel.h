/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel in question: its version, configuration and command line, and what it allows. */
#ifndef TOOLS_DIAGNOSE_KERNEL_H
#define TOOLS_DIAGNOSE_KERNEL_H

#include "diagnose/system.h"

/* The oldest and the newest series, each with its two numbers. */
struct kernel_range {
	int oldest[2], newest[2];
};

/* text: "5.10 7.3".  Return: 0; -1: it is something else. */
int kernel_read_range(struct kernel_range *range, const char *text);

/* Return: below 0: older; 0: within, or not known; above 0: newer. */
int kernel_compare(const struct system *system, const struct kernel_range *range);

/* An option of its configuration, "CONFIG_KPROBES": 'y', 'm', 'n'; 0: not known. */
char kernel_option(const struct system *system, const char *name);

/* Does its command line hold the word, such as "module.sig_enforce", with or without a value? */
int kernel_argument(const struct system *system, const char *name, char *value, size_t size);

/* Does a file in /proc or /sys begin so?  -1: not known. */
int kernel_says(const struct system *system, const char *path, const char *beginning);

/* Do we run in the initial PID namespace?  0 also if it is not known. */
int kernel_has_initial_pids(const struct system *system);

/*
 * The kind of container that a file or the first process speaks of, perhaps stored in name;
 * NULL: of none.  A machine whose root was copied from a container has such files, too.
 */
const char *kernel_container(const struct system *system, char name[64]);

#endif
