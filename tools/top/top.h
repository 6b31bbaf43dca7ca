/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounds as they are shown: on a terminal, as lines of text, and as JSON. */
#ifndef TOOLS_TOP_TOP_H
#define TOOLS_TOP_TOP_H

#include <stdio.h>

#include "common/error.h"
#include "top/order.h"
#include "top/want.h"

/* The lines above the threads, and messages in their place. */

#define TOP_LINE_MAX	512

/* The first line: "at 5001.000000: 20013 threads, 5 new and 3 gone in 2.00 s". */
const char *top_text_summary(char line[TOP_LINE_MAX], const struct top_round *round,
			     const struct top_order *order, const struct top_want *want);

/* The second line: how many threads were in each group of states on average. */
const char *top_text_means(char line[TOP_LINE_MAX], const struct top_round *round,
			   const struct top_order *order);

/* The row of the threads that are not shown one by one. */
const char *top_text_idle(char line[TOP_LINE_MAX], const struct top_order *order);

/* Why top_order_next() failed. */
const char *top_text_error(char text[ERROR_MAX], struct taskrt *handle, int error,
			   const struct top_want *want);

/*
 * Show the threads on a terminal until the user quits.  Takes over handle and closes it.  If
 * the module is removed or accounting is switched off, a message is shown until that is over.
 * stop_fd: as stop_open() returns it.
 * Return: a status, after a message if it is not 0.
 */
int top_screen(struct taskrt *handle, const struct top_want *want, int stop_fd);

/*
 * Print want->rounds without a terminal, or until a signal comes or the reader has gone away.
 * stop_fd: as stop_open() returns it.  Standard output is closed.
 * Return: a status, after a message if it is not 0.
 */
int top_batch(struct taskrt *handle, const struct top_want *want, int stop_fd);

/* A round as one line of JSON. */
void top_json_print(FILE *out, const struct top_round *round, const struct top_order *order);

#endif
