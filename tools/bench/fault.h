/* SPDX-License-Identifier: GPL-2.0-only */
/* Page faults that find their page in memory. */
#ifndef TOOLS_BENCH_FAULT_H
#define TOOLS_BENCH_FAULT_H

#include "bench/sample.h"

/* See struct event. */
int fault_measure(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
