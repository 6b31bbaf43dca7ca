/* SPDX-License-Identifier: GPL-2.0-only */
/* The inventory of the module: its numbers, its hooks, and what it can measure. */
#ifndef TOOLS_DIAGNOSE_INVENTORY_H
#define TOOLS_DIAGNOSE_INVENTORY_H

#include <stddef.h>
#include <taskrt.h>

#include "common/json.h"

struct inventory {
	struct taskrt_info info;
	struct taskrt_hook *hooks;	/* of info.nr_hooks */
	struct taskrt_measured known;	/* it can measure these, on some kernel */
};

/*
 * Return: 0; a negative errno, as taskrt_get_info().  To be freed with inventory_free(), also
 * after a failure.  Without memory the program ends.
 */
int inventory_get(struct inventory *inventory, struct taskrt *handle);
void inventory_free(struct inventory *inventory);

/* Its members, with the names of <linux/taskrt.h>. */
void inventory_put_json(struct json *json, const struct inventory *inventory);

#endif
