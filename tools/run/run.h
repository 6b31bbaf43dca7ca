/* SPDX-License-Identifier: GPL-2.0-only */
/* How a command that was run has ended, and where its time and its descendants' went. */
#ifndef TOOLS_RUN_RUN_H
#define TOOLS_RUN_RUN_H

#include <stdio.h>

#include "run/child.h"

void outcome_print(FILE *out, const struct child *child);
void outcome_print_json(FILE *out, const struct child *child);

#endif
