/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured, as JSON, with every sample. */
#ifndef TOOLS_BENCH_DOCUMENT_H
#define TOOLS_BENCH_DOCUMENT_H

#include <stdio.h>

#include "bench/result.h"

void document_print(FILE *out, const struct result *result);

#endif
