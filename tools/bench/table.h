/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured, as a person reads it. */
#ifndef TOOLS_BENCH_TABLE_H
#define TOOLS_BENCH_TABLE_H

#include <stdio.h>

#include "bench/result.h"

void table_print(FILE *out, const struct result *result);

#endif
