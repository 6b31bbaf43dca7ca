// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include "hook/hook.h"

DEFINE_PER_CPU(struct hook_counts, hook_counts);

int hook_status[NR_HOOKS] = { [0 ... NR_HOOKS - 1] = -ENODEV };
