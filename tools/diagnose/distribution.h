/* SPDX-License-Identifier: GPL-2.0-only */
/* The package commands of the distribution. */
#ifndef TOOLS_DIAGNOSE_DISTRIBUTION_H
#define TOOLS_DIAGNOSE_DISTRIBUTION_H

#include "diagnose/system.h"

#define DISTRIBUTION_MAX	256

/* The command that installs the headers of the kernel in question. */
void distribution_headers(const struct system *system, char command[DISTRIBUTION_MAX]);

/* The command that installs a package, which has its name in Debian. */
void distribution_install(const struct system *system, const char *package,
			  char command[DISTRIBUTION_MAX]);

/* Does apt know the package taskrt-dkms?  Compressed lists are not read. */
int distribution_has_module(const struct system *system);

#endif
