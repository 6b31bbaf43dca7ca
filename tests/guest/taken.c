// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another module has taken the name of the netlink family, or that of the device: the
 * insertion is refused, and leaves nothing behind; when the name is free again, it works.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "leftover.h"
#include "module.h"
#include "tap.h"
#include "window.h"

static void must_remove(const char *name)
{
	int err = module_loaded(name) ? module_remove(name) : 0;

	if (err)
		tap_bail("removing %s: %s", name, strerror(-err));
}

static void check(const char *take)
{
	const char *left;
	int err;

	must_remove(MODULE_TASKRT);
	must_remove(MODULE_TEST);
	err = module_insert(MODULE_TEST, take);
	if (err)
		tap_bail("%s %s: %s", MODULE_TEST, take, strerror(-err));
	tap_errno(module_insert(MODULE_TASKRT, ""), -EBUSY, "%s: the insertion is refused", take);
	must_remove(MODULE_TEST);
	left = leftover();
	tap_ok(!left, "%s: nothing is left%s%s", take, left ? " but " : "", left ? left : "");
	module_again("");
	tap_ok(window_works(), "%s: the next insertion works", take);
}

int main(void)
{
	check("take=family");
	check("take=device");
	return tap_done();
}
