/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the module is not loaded or does not answer, and how to fix that. */
#ifndef TOOLS_DIAGNOSE_NOT_LOADED_H
#define TOOLS_DIAGNOSE_NOT_LOADED_H

#include "diagnose/finding.h"
#include "diagnose/module.h"
#include "diagnose/system.h"

/*
 * Look for everything that keeps the module, as module_find() has found it, from being loaded
 * into the kernel that is meant.  What is found first must be fixed first.
 */
void not_loaded_collect(struct findings *findings, const struct system *system,
			const struct module *module);

/* Explain why a query failed with this negative errno although the module may be loaded. */
void not_loaded_answer(struct findings *findings, const struct system *system, int error);

#endif
