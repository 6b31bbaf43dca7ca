/* SPDX-License-Identifier: GPL-2.0-only */
/* A round as one line of JSON. */
#ifndef TOOLS_TOP_JSON_H
#define TOOLS_TOP_JSON_H

#include <stdio.h>

#include "top/order.h"

void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order);

#endif
