// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include "hook/stay.h"

static bool stays;

void hook_stay(const char *name, int err)
{
	pr_err("cannot unhook %s: error %d; the module stays\n", name, err);
	__module_get(THIS_MODULE);
	WRITE_ONCE(stays, true);
}

void hook_exit(void)
{
	while (READ_ONCE(stays))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
