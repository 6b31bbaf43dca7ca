// SPDX-License-Identifier: GPL-2.0-only
/* Takes a name that taskrt needs, so that it cannot be inserted. */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/genetlink.h>

#include "internal.h"

static char *take = "";
module_param(take, charp, 0);
MODULE_PARM_DESC(take, "the name to take: family, device, or none");

static struct genl_family family = {
	.name = "taskrt",
	.version = 1,
	.module = THIS_MODULE,
};

static const struct file_operations fops = {
	.owner = THIS_MODULE,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "taskrt",
	.fops = &fops,
};

int test_name_take(void)
{
	if (!strcmp(take, "family"))
		return genl_register_family(&family);
	if (!strcmp(take, "device"))
		return misc_register(&device);
	return 0;
}

void test_name_give_back(void)
{
	if (!strcmp(take, "family"))
		genl_unregister_family(&family);
	else if (!strcmp(take, "device"))
		misc_deregister(&device);
}
