/* SPDX-License-Identifier: GPL-2.0-only */
/* Two threads that wake each other. */
#ifndef TOOLS_BENCH_PINGPONG_H
#define TOOLS_BENCH_PINGPONG_H

#include "bench/sample.h"

/* See struct event. */
int pingpong_measure(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
