/* SPDX-License-Identifier: GPL-2.0-only */
/* There is a file of the module: what keeps it out of the kernel? */
#ifndef TOOLS_REFUSAL_H
#define TOOLS_REFUSAL_H

#include "finding.h"
#include "module.h"
#include "system.h"

void refusal_collect(struct findings *findings, const struct system *system,
		     const struct module *module);

#endif
