/* SPDX-License-Identifier: GPL-2.0-only */
/* Who would lose what they collect when accounting is switched off. */
#ifndef TOOLS_BENCH_OBSERVERS_H
#define TOOLS_BENCH_OBSERVERS_H

#include <taskrt.h>

/* Return: a status, after a message where it is not STATUS_OK: somebody observes. */
int observers_check(const struct taskrt_info *info);

/* The same, for those of this moment. */
int observers_check_now(struct taskrt *handle);

#endif
