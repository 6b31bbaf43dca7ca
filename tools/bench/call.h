/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls of the library, and calls to compare them with. */
#ifndef TOOLS_BENCH_CALL_H
#define TOOLS_BENCH_CALL_H

#include "bench/sample.h"

/* See struct event. */
int call_self(const struct sample_site *site, uint64_t ns, struct sample *sample);
int call_get(const struct sample_site *site, uint64_t ns, struct sample *sample);
int call_clock(const struct sample_site *site, uint64_t ns, struct sample *sample);
int call_getrusage(const struct sample_site *site, uint64_t ns, struct sample *sample);

#endif
