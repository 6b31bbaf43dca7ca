/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the module is not loaded or does not answer, and how to fix that. */
#ifndef TOOLS_DIAGNOSE_DIAGNOSE_H
#define TOOLS_DIAGNOSE_DIAGNOSE_H

#include "diagnose/finding.h"
#include "diagnose/machine.h"

/*
 * Find everything that prevents the module, as module_find() has found it, from being loaded into
 * the kernel in question.  The first finding must be fixed first.
 */
void not_loaded_collect(struct findings *findings, const struct system *system,
			const struct module *module);

/* Explain why a query failed with this negative errno although the module may be loaded. */
void not_loaded_answer(struct findings *findings, const struct system *system, int error);

/* Why the file of the module is not loaded. */
void load_failure_collect(struct findings *findings, const struct system *system,
			  const struct module *module);

/* Why there is no file of the module for a kernel. */
void build_failure_collect(struct findings *findings, const struct system *system);

/* To append to a command that builds the file: the command that loads it. */
const char *build_failure_then_load(const struct system *system);

#endif
