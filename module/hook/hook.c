// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include "hook/hook.h"

DEFINE_PER_CPU(struct hook_counts, hook_counts);

int hook_status[NR_HOOKS] = { [0 ... NR_HOOKS - 1] = -ENODEV };

static bool hook_module_pinned;

void hook_pin_module(const char *name, int err)
{
	pr_err("cannot unhook %s: error %d; the module stays\n", name, err);
	__module_get(THIS_MODULE);
	WRITE_ONCE(hook_module_pinned, true);
}

void hook_exit(void)
{
	while (READ_ONCE(hook_module_pinned))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
