/* SPDX-License-Identifier: GPL-2.0-only */
/* The load failures: why the file of the module is not loaded. */
#ifndef TOOLS_DIAGNOSE_LOAD_FAILURE_H
#define TOOLS_DIAGNOSE_LOAD_FAILURE_H

#include "diagnose/finding.h"
#include "diagnose/module.h"
#include "diagnose/system.h"

void load_failure_collect(struct findings *findings, const struct system *system,
			  const struct module *module);

#endif
