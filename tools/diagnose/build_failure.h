/* SPDX-License-Identifier: GPL-2.0-only */
/* The build failures: why there is no file of the module for a kernel. */
#ifndef TOOLS_DIAGNOSE_BUILD_FAILURE_H
#define TOOLS_DIAGNOSE_BUILD_FAILURE_H

#include "diagnose/finding.h"
#include "diagnose/system.h"

void build_failure_collect(struct findings *findings, const struct system *system);

/* The command that follows one that makes the file. */
const char *build_failure_then_load(const struct system *system);

#endif
