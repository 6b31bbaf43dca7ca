/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines above the threads, and messages in their place. */
#ifndef TOOLS_TOP_TEXT_H
#define TOOLS_TOP_TEXT_H

#include "common/error.h"
#include "top/order.h"

#define TOP_LINE_MAX	512

/* The first line: "at 5001.000000: 20013 threads, 5 new and 3 gone in 2.00 s". */
const char *top_text_summary(char line[TOP_LINE_MAX], const struct top_round *round,
			     const struct top_order *order, const struct top_want *want);

/* The second line: how many threads were in each group of states on average. */
const char *top_text_means(char line[TOP_LINE_MAX], const struct top_round *round,
			   const struct top_order *order);

/* The row of those that are not shown one by one. */
const char *top_text_idle(char line[TOP_LINE_MAX], const struct top_order *order);

/* Why top_order_next() failed. */
const char *top_text_error(char text[ERROR_MAX], struct taskrt *handle, int error,
			   const struct top_want *want);

#endif
