/* SPDX-License-Identifier: GPL-2.0-only */
/* What the module tells of itself as JSON, with the names of <linux/taskrt.h>. */
#ifndef TOOLS_DIAGNOSE_INVENTORY_JSON_H
#define TOOLS_DIAGNOSE_INVENTORY_JSON_H

#include <json-c/json.h>

#include "diagnose/inventory.h"

struct json_object *inventory_json(const struct inventory *inventory);

#endif
