/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that begin and end. */
#ifndef TOOLS_BENCH_FORK_H
#define TOOLS_BENCH_FORK_H

#include "bench/sample.h"

/* See struct event. */
int fork_measure(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
