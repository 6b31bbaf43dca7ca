/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured, where, and how: all that is printed. */
#ifndef TOOLS_BENCH_RESULT_H
#define TOOLS_BENCH_RESULT_H

#include <taskrt.h>

#include "bench/alternation.h"
#include "bench/machine.h"

struct result {
	struct machine machine;
	struct taskrt_info info;
	struct alternation alternation;
};

#endif
